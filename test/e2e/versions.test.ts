/** Versions of the file: what is no net, rows that come and go, edits made while nobody ran, what jobs report. */
import { copyFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { edit, settledAs, WATCHES, whileRunning } from './edits-bench.js';
import { createBench, csvOf, ending, NOTED, until } from './workbench.js';

describe('a version that is no net', () => {
  test.each(WATCHES)(
    'STA-06 half a file changes nothing but a line in status; put back it is taken (--watch %s)',
    async (watch) => {
      const { net, code, out } = await whileRunning(
        [['A'], ['B', 'A'], ['C', 'LAST']],
        ['--watch', watch],
        async (net) => {
          await settledAs(net, 'B', '0');
          const whole = net.read();
          writeFileSync(net.file, whole.slice(0, whole.length / 2));
          await until(() => /CSV: a version of the CSV (is refused|waits)/.test(net.run('status').out));
          expect(net.read()).toBe(whole.slice(0, whole.length / 2));
          writeFileSync(net.file, whole);
          await until(() => !/CSV: a version/.test(net.run('status').out));
        },
      );
      expect(code).toBe(0);
      expect(out).toContain('the CSV is again what it was');
      expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0', LAST: '0' });
    },
  );

  test('WAT-03 a cycle is refused as a whole; the correction and a new job are taken', async () => {
    const { net, code } = await whileRunning([['A'], ['B', 'A'], ['C', 'LAST']], [], async (net) => {
      await settledAs(net, 'B', '0');
      const good = net.read();
      const cyclic = good.replace(/^C,9,,,LAST/m, 'C,9,,,C');
      net.csv(cyclic);
      await until(() => net.run('status').out.includes('refused'));
      expect(net.read()).toBe(cyclic);
      net.csv(`${good}D,9,,,B,\n`);
      net.script('D', NOTED);
      await settledAs(net, 'D', '0');
    });
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'B', 'C', 'D', 'LAST']);
  });

  test.each([
    ['CSV-04 a quote that is never closed', (text: string) => text.replace(/^B/m, '"B'), 'line 3'],
    ['GRA-02 an unknown predecessor', (text: string) => text.replace(/^C,9,,,LAST/m, 'C,9,,,LATS'), '"LAST"'],
    [
      'GRA-03 a cycle',
      (text: string) => text.replace(/^C,9,,,LAST/m, 'C,9,,,D').concat('D,9,,,C,\n'),
      'C (row 4) -> D (row 6) -> C (row 4)',
    ],
    ['STA-06 an empty file', () => '', 'no jobs'],
    ['STA-06 a file of NULs', (text: string) => '\0'.repeat(text.length), 'zero bytes'],
    ['STA-06 a file whose end is NULs', (text: string) => `${text}${'\0'.repeat(400)}`, 'zero bytes'],
  ])('%s is refused, and never written over', async (_, spoil, why) => {
    const { net, code } = await whileRunning([['A'], ['B', 'A'], ['C', 'LAST']], [], async (net) => {
      await settledAs(net, 'B', '0');
      const good = net.read();
      net.csv(spoil(good));
      await until(() => net.statusJson().csv.state === 'refused');
      expect(net.read()).toBe(spoil(good));
      expect(net.run('status').out).toContain(why);
      net.csv(good);
      await until(() => net.statusJson().csv.state === 'current');
    });
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'B', 'C', 'LAST']);
  });
});

describe('rows', () => {
  test('added run, removed do not', async () => {
    const { net, code } = await whileRunning([['A'], ['X', 'LAST'], ['Y', 'LAST']], [], async (net) => {
      await settledAs(net, 'A', '0');
      net.script('NEW', NOTED);
      net.csv(`${edit(net, /^X,.*\n/m, '')}NEW,9,,,A,\n`);
      await settledAs(net, 'NEW', '0');
    });
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'LAST', 'NEW', 'Y']);
    expect(net.statuses()).toEqual({ A: '0', Y: '0', LAST: '0', NEW: '0' });
  });

  test('with another predecessor wait for that one', async () => {
    const { net, code } = await whileRunning(
      [
        ['A', 'LAST'],
        ['B', 'LAST'],
      ],
      [],
      async (net) => {
        await settledAs(net, 'LAST', '2');
        net.csv(edit(net, /^A,9,,,LAST/m, 'A,9,,,B'));
        await until(() => net.statusJson().jobs[0]?.predecessors.join() === 'B');
      },
    );
    expect(code).toBe(0);
    expect(net.effects()).toEqual(['LAST', 'B', 'A']);
  });

  test('of a job that runs may go: it is kept, shown, and not started again', async () => {
    const net = createBench(csvOf([['A'], ['B']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await settledAs(net, 'B', '0');
    const whole = net.read();
    net.csv(edit(net, /^A,.*\n/m, ''));
    await until(() => net.run('status').out.includes('row missing'));
    net.csv(whole);
    await until(() => !net.run('status').out.includes('row missing'));
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    expect(net.effects().filter((job) => job === 'A')).toEqual(['A']);
  });

  test('CSV-07 names that lost their leading zeros are held, shown as pairs, and taken by accept', async () => {
    const { net, code, out } = await whileRunning([['0010'], ['0020', 'LAST']], [], async (net) => {
      await settledAs(net, '0010', '0');
      net.csv(net.read().replace(/^0010/m, '10').replace(/^0020/m, '20'));
      await until(() => net.statusJson().csv.state === 'held');
      expect(net.run('status').out).toContain('0010 -> 10, 0020 -> 20');
      net.script('10', NOTED);
      net.script('20', NOTED);
      expect(net.run('accept').code).toBe(0);
      await until(() => net.statusJson().csv.state === 'current');
    });
    expect(code).toBe(0);
    expect(out).toContain('waits for "jobnet accept"');
    expect(net.effects().sort()).toEqual(['0010', '10', '20', 'LAST']);
  });

  test('CSV-08 names that became dates are held', async () => {
    const { net } = await whileRunning([['3-1'], ['MAR1', 'LAST']], [], async (net) => {
      await settledAs(net, '3-1', '0');
      const good = net.read();
      net.csv(good.replace(/^3-1/m, '3月1日').replace(/^MAR1/m, '1-Mar'));
      await until(() => net.statusJson().csv.state === 'held');
      net.csv(good);
      await until(() => net.statusJson().csv.state === 'current');
    });
    expect(net.effects().sort()).toEqual(['3-1', 'LAST', 'MAR1']);
  });

  test('more than half of them gone are held', async () => {
    const { net } = await whileRunning([['A'], ['B'], ['C', 'LAST']], [], async (net) => {
      await settledAs(net, 'B', '0');
      const good = net.read();
      net.csv(`${good.split('\n').slice(0, 2).join('\n')}\n`);
      await until(() => net.statusJson().csv.state === 'held');
      net.csv(good);
      await until(() => net.statusJson().csv.state === 'current');
    });
    expect(net.effects().sort()).toEqual(['A', 'B', 'C', 'LAST']);
  });
});

describe('what is no edit', () => {
  test('WAT-07 a change with the same size and time is seen', async () => {
    const { code } = await whileRunning(
      [['A'], ['B', 'A']],
      ['--watch', 'poll'],
      async (net) => {
        await settledAs(net, 'A', '1');
        const { atime, mtime } = statSync(net.file);
        net.csv(edit(net, /^A,1/m, 'A,0'));
        utimesSync(net.file, atime, mtime);
        await settledAs(net, 'B', '0');
      },
      (net) => net.script('A', ending(1)),
    );
    expect(code).toBe(0);
  });

  test('CSV-09 times that a spreadsheet wrote its own way change nothing, and an edit beside them is obeyed', async () => {
    const { net, code } = await whileRunning(
      [['A'], ['B', 'A'], ['C']],
      [],
      async (net) => {
        await settledAs(net, 'A', '1');
        await settledAs(net, 'C', '0');
        const asExcel = net
          .read()
          .replace(/(\d{4})\/0?(\d+)\/0?(\d+) 0?(\d+):(\d\d):\d\d/g, '$1/$2/$3 $4:$5');
        net.csv(asExcel.replace(/^A,1/m, 'A,0'));
        await settledAs(net, 'B', '0');
      },
      (net) => net.script('A', ending(1)),
    );
    expect(code).toBe(0);
    expect(net.effects().filter((job) => job === 'C')).toEqual(['C']);
  });

  test('WAT-06 own writes and identical rewrites are not edits', async () => {
    const jobs = Array.from({ length: 50 }, (_, index) => `J${index}`);
    const { net, code, out } = await whileRunning(
      jobs.map((job) => [job]),
      [],
      async (net) => {
        await until(() => Object.values(net.statuses()).filter((status) => status === '0').length === 50);
        copyFileSync(net.file, `${net.file}.copy`);
        renameSync(`${net.file}.copy`, net.file);
      },
    );
    expect(code).toBe(0);
    expect(out).not.toContain('edit of');
    expect(net.statusJson().csv.notices).toEqual([]);
  });
});

/** A net that stands at its abended job B, and nobody runs it. */
function abended() {
  const net = createBench(csvOf([['A'], ['B', 'A'], ['C', 'B']]), { jobs: ['A', 'B', 'C'] });
  net.script('B', ending(1));
  expect(net.run('start').code).toBe(1);
  return net;
}

describe('edits made while nobody ran', () => {
  test('GRA-08 1 to 0 releases the successors at resume', () => {
    const net = abended();
    net.csv(edit(net, /^B,1/m, 'B,0'));
    const { code, out } = net.run('resume');
    expect(code).toBe(0);
    expect(out).toContain('B  settled, by the CSV');
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test('GRA-08 1 to 9 runs it again at resume, then its successors', () => {
    const net = abended();
    net.script('B', NOTED);
    net.csv(edit(net, /^B,1/m, 'B,9'));
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'B', 'C']);
  });

  test('0 to 9 runs an ended job again at resume', () => {
    const net = abended();
    net.script('B', NOTED);
    net.csv(edit(net, /^A,0/m, 'A,9'));
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'A', 'B', 'C']);
  });

  test('are shown by resume --dry-run, and nothing is done', () => {
    const net = abended();
    const edited = edit(net, /^B,1/m, 'B,0');
    net.csv(edited);
    expect(net.run('resume', '--dry-run').out).toContain('B  settled, by the CSV');
    expect(net.read()).toBe(edited);
    expect(net.effects()).toEqual(['A', 'B']);
  });

  test('new rows wait and run', () => {
    const net = abended();
    net.script('B', NOTED);
    net.script('D', NOTED);
    net.csv(`${net.read()}D,9,,,C,\n`);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'B', 'C', 'D']);
  });

  test('that took most rows away are refused until accepted', () => {
    const net = abended();
    net.script('B', NOTED);
    net.csv(`${net.read().split('\n').slice(0, 2).join('\n')}\n`);
    const { code, err } = net.run('resume');
    expect(code).toBe(3);
    expect(err).toContain('2 of 3 rows are gone');
    expect(net.run('resume', '--accept').code).toBe(0);
  });

  test('a copy from before the run is put back, and nothing ended runs again', () => {
    const net = abended();
    net.script('B', NOTED);
    net.csv(csvOf([['A'], ['B', 'A'], ['C', 'B']]));
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'B', 'C']);
  });
});

describe('a file that cannot be used when a command begins', () => {
  test.each([
    ['empty', () => '', 'no jobs'],
    ['zeros, as after a power cut', (text: string) => '\0'.repeat(text.length), 'zero bytes'],
    ['zeros behind the text', (text: string) => `${text}${'\0'.repeat(400)}`, 'zero bytes'],
    ['zeros before the text', (text: string) => `${'\0'.repeat(400)}${text}`, 'zero bytes'],
    ['its header only', (text: string) => text.slice(0, text.indexOf('\n') + 1), 'no jobs'],
    ['cut in its header', () => 'job,sta', 'no column "status"'],
    ['cut in a row', (text: string) => text.slice(0, text.indexOf('B,') + 1), 'in the middle of a row'],
  ])('STA-06 is never written over, and the last good version is named: %s', (_, spoil, why) => {
    const net = abended();
    const whole = net.read();
    const spoiled = spoil(whole);
    net.csv(spoiled);
    for (const command of ['start', 'resume']) {
      const { code, err } = net.run(command);
      expect([command, code]).toEqual([command, 3]);
      expect(net.read()).toBe(spoiled);
      expect(net.effects()).toEqual(['A', 'B']);
      expect(err).toContain(why);
      // Nobody can read a line full of zeros.
      expect(Math.max(...err.split('\n').map((line) => line.length))).toBeLessThan(300);
      const kept = path.resolve(net.folder, /is kept: (.*)/.exec(err)![1]!);
      expect(readFileSync(kept, 'utf8')).toBe(whole);
    }
  });

  test('STA-06 status goes by the last good version, and says so', () => {
    const net = abended();
    net.csv('');
    const { code, out, err } = net.run('status');
    expect([code, out.match(/^ *[ABC] .*$/gm)?.length]).toEqual([0, 3]);
    expect(err).toContain('The last good version is kept: ');
  });

  test('a net that was cut off, or whose names a spreadsheet changed, is started with --accept only', () => {
    const net = createBench(csvOf([['001'], ['B', '001']]), { jobs: ['001', '1', 'B'] });
    expect(net.run('start').code).toBe(0);
    const whole = net.read();
    for (const [spoiled, reason] of [
      [whole.slice(0, whole.lastIndexOf(',')), 'ends in the middle of a row'],
      [whole.replaceAll('001', '1'), '001 -> 1'],
    ] as const) {
      net.csv(spoiled);
      const { code, err } = net.run('start');
      expect(code).toBe(3);
      expect(err).toContain(reason);
      expect(err).toContain('jobnet start --accept');
    }
    expect(net.run('start', '--accept').code).toBe(0);
    expect(net.statuses()).toEqual({ 1: '0', B: '0' });
  });
});

describe('jobnet report', () => {
  test('1 inside a job is an abend whatever its code; the last report counts', () => {
    const main = path.resolve('dist/cli/main.js');
    const net = createBench(csvOf([['A'], ['B'], ['C']]));
    const script = (reports: string) =>
      `#!/bin/sh\n${reports.replaceAll('REPORT', `'${process.execPath}' '${main}' report`)}\n`;
    net.script('A', script('REPORT 1\nexit 0'));
    net.script('B', script('REPORT 1 && REPORT 0'));
    net.script('C', script('REPORT 0; exit 4'));
    expect(net.run('start', '--keep-going').code).toBe(1);
    expect(net.statuses()).toEqual({ A: '1', B: '0', C: '1' });
    expect(net.statusJson().jobs.map(({ reason, exit }) => [reason, exit?.code ?? null])).toEqual([
      ['reported', 0],
      [null, 0],
      ['exit', 4],
    ]);
  });

  test('from outside names a job that runs, else it is exit 6', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await until(() => net.statusJson().counts['running'] === 1);
    expect(net.run('report', '1', '--job', 'A').code).toBe(0);
    expect(net.run('report', '1', '--job', 'B').code).toBe(6);
    await a.exit(0);
    expect((await running.finished).code).toBe(1);
    expect(net.run('report', '1').code).toBe(2);
    expect(net.run('report', '2').code).toBe(2);
  });
});

describe('accept without a controller', () => {
  test('is exit 5', () => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    expect(net.run('accept').code).toBe(5);
    net.run('start');
    expect(net.run('accept')).toMatchObject({ code: 5 });
  });
});

describe('a file from Japanese Windows', () => {
  test('CSV-05, CSV-14 is byte-identical after a run except for the three cells of each row', () => {
    const row = (name: string, cells: string, before: string) =>
      `"${name}",${cells},${before},～営業部 ㈱,"memo, ""x"""\r\n`;
    const text = (a: string, b: string) =>
      `job,status,stime,etime,prev1,部署,備考\r\n${row('締め処理', a, '')}\r\n,,,,,,\r\n${row('表示', b, '締め処理')}`;
    const net = createBench('');
    // 髙 has two codes in CP932: the one that encoders do not write must stay as well.
    const nec = Buffer.from([0xee, 0xe0]);
    const bytes = Buffer.concat([
      iconv.encode(text('9,,', '9,,'), 'cp932'),
      iconv.encode('"終了",9,,,表示,,', 'cp932'),
      nec,
      Buffer.from('\r\n'),
    ]);
    writeFileSync(net.file, bytes);
    for (const job of ['締め処理', '表示', '終了']) net.script(job, NOTED);
    expect(net.run('start').code).toBe(0);
    const after = readFileSync(net.file);
    const time = '\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d';
    const restored = after.toString('latin1').replace(new RegExp(`,0,${time},${time}`, 'g'), ',9,,');
    expect(Buffer.from(restored, 'latin1').equals(bytes)).toBe(true);
    expect(net.effects()).toEqual(['締め処理', '表示', '終了']);
  });
});
