/** Edits of statuses while the net runs: what each does, whatever tool makes it. */
import { describe, expect, test } from 'vitest';
import { edit, settledAs, timeNow, WATCHES, WRITERS, whileRunning } from './edits-bench.js';
import { createBench, csvOf, ending, NOTED, until } from './workbench.js';

describe.each(WATCHES)('with --watch %s', (watch) => {
  describe.each(Object.keys(WRITERS))('an edit %s', (writer) => {
    const save = WRITERS[writer]!;

    test('GRA-08 1 to 0 settles an abended job: its successors go on', async () => {
      const { net, code } = await whileRunning(
        [['A'], ['B', 'A']],
        ['--watch', watch],
        async (net) => {
          await settledAs(net, 'A', '1');
          save(net, edit(net, /^A,1/m, 'A,0'));
          await settledAs(net, 'B', '0');
        },
        (net) => net.script('A', ending(1)),
      );
      expect(code).toBe(0);
      expect(net.effects()).toEqual(expect.arrayContaining(['A', 'B']));
      expect(net.statusJson().jobs[0]).toMatchObject({ status: 'ended', exit: null, attempt: 1 });
    });

    test('GRA-08 1 to 9 runs an abended job again', async () => {
      const { net, code } = await whileRunning(
        [['A'], ['B', 'A']],
        ['--watch', watch],
        async (net) => {
          await settledAs(net, 'A', '1');
          net.script('A', NOTED);
          save(net, edit(net, /^A,1/m, 'A,9'));
          await settledAs(net, 'B', '0');
        },
        (net) => net.script('A', ending(1)),
      );
      expect(code).toBe(0);
      expect(net.effects().filter((job) => job === 'A')).toHaveLength(2);
    });
  });
});

describe('other edits of a status', () => {
  test('9 to 0 skips a job by hand, 9 to 1 marks it abended', async () => {
    const { net, code, out } = await whileRunning(
      [
        ['B', 'LAST'],
        ['C', 'B'],
        ['D', 'LAST'],
        ['E', 'D'],
      ],
      [],
      async (net) => {
        await settledAs(net, 'LAST', '2');
        net.csv(edit(net, /^B,9/m, 'B,0').replace(/^D,9/m, 'D,1'));
        await until(() => net.statusJson().counts['skipped'] === 1);
      },
    );
    expect(code).toBe(1);
    expect(net.effects().sort()).toEqual(['C', 'LAST']);
    expect(net.statuses()).toEqual({ B: '0', C: '0', D: '1', E: '9', LAST: '0' });
    expect(out).toContain('B  skipped, by the CSV');
    const shown = net.run('status').out;
    expect(shown).toContain('B  skipped, by the CSV');
    expect(shown).toContain('D  marked abended, by the CSV');
  });

  test('9 to 2 is started outside: not launched, and a later 0 settles it', async () => {
    const { net, code } = await whileRunning(
      [
        ['A', 'LAST'],
        ['B', 'A'],
      ],
      [],
      async (net) => {
        await settledAs(net, 'LAST', '2');
        net.csv(edit(net, /^A,9,,/m, `A,2,${timeNow()},`));
        await until(() => net.statusJson().counts['outside'] === 1);
        expect(net.run('status').out).toContain('needs a person');
        net.csv(edit(net, /^A,2,([^,]*),/m, `A,0,$1,${timeNow()}`));
        await until(() => net.statusJson().counts['outside'] === 0);
      },
    );
    expect(code).toBe(0);
    expect(net.effects()).toEqual(['LAST', 'B']);
  });

  test('9 to 2 that nobody settles does not hang the run: exit 1, and it says so', async () => {
    const { net, code, out } = await whileRunning([['A', 'LAST']], [], async (net) => {
      await settledAs(net, 'LAST', '2');
      net.csv(edit(net, /^A,9/m, 'A,2'));
      await until(() => net.statusJson().counts['outside'] === 1);
    });
    expect(code).toBe(1);
    expect(out).toContain('1 job started outside');
    expect(net.run('resume').out).toContain('lost');
  });

  test.each([
    ['9', 'A,9,,'],
    ['0', 'A,0,$1,2026/11/30 23:59:59'],
    ['blank', 'A,,,'],
  ])('2 to %s of a job that runs is put back and said', async (_, to) => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await settledAs(net, 'A', '2');
    net.csv(edit(net, /^A,2,([^,]*),/m, to));
    await running.said('edit of A from 2 to');
    await settledAs(net, 'A', '2');
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B']);
  });

  test('0 to 9 with its times kept runs an ended job again; successors that ran are not repeated', async () => {
    const { net, code } = await whileRunning([['A'], ['B', 'A']], [], async (net) => {
      await settledAs(net, 'B', '0');
      net.csv(edit(net, /^A,0/m, 'A,9'));
      await until(() => net.effects().filter((job) => job === 'A').length === 2);
      await settledAs(net, 'A', '0');
    });
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'A', 'B', 'LAST']);
  });

  test('0 to 9 with its times cleared is put back, and accept runs it again', async () => {
    const { code } = await whileRunning([['A'], ['B', 'A']], [], async (net) => {
      await settledAs(net, 'B', '0');
      net.csv(edit(net, /^A,0,[^,]*,[^,]*/m, 'A,9,,'));
      await until(() => net.run('accept', '--show').out.includes('A -> 9'));
      await settledAs(net, 'A', '0');
      expect(net.effects().filter((job) => job === 'A')).toHaveLength(1);
      expect(net.run('accept')).toMatchObject({ code: 0, out: 'taken: 1 edit\n' });
      await until(() => net.effects().filter((job) => job === 'A').length === 2);
      await settledAs(net, 'A', '0');
      expect(net.run('accept').code).toBe(6);
    });
    expect(code).toBe(0);
  });

  test('0 to 1 marks an ended job abended: what waits behind it is blocked', async () => {
    const { net, code } = await whileRunning([['A'], ['B', 'A', 'LAST']], [], async (net) => {
      await settledAs(net, 'A', '0');
      net.csv(edit(net, /^A,0/m, 'A,1'));
      await until(() => net.statusJson().jobs[0]?.reason === 'by-hand');
    });
    expect(code).toBe(1);
    expect(net.statuses()).toEqual({ A: '1', B: '9', LAST: '0' });
  });
});

describe('STA-04 an hour-old copy', () => {
  test('reruns nothing, is put back, and is reported', async () => {
    let old = '';
    const { net, code, out } = await whileRunning([['A'], ['B', 'A'], ['C', 'B']], [], async (net) => {
      await settledAs(net, 'C', '0');
      // The editor had opened the file before the start.
      old = csvOf([['A'], ['B', 'A'], ['C', 'B'], ['LAST']]);
      const current = net.read();
      net.csv(old);
      await until(() => net.read() === current);
    });
    expect(code).toBe(0);
    expect(out.match(/saved from an older state/g)!.length).toBeGreaterThanOrEqual(3);
    expect(net.effects().sort()).toEqual(['A', 'B', 'C', 'LAST']);
  });

  test('still brings the one edit that its writer could see', async () => {
    const { net, code } = await whileRunning([['A'], ['B', 'A'], ['C', 'LAST']], [], async (net) => {
      await settledAs(net, 'B', '0');
      net.csv(csvOf([['A'], ['B', 'A'], ['C', 'LAST'], ['LAST']]).replace(/^C,9/m, 'C,0'));
      await until(() => net.statusJson().counts['skipped'] === 1);
    });
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'B', 'LAST']);
  });
});
