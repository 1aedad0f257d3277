/** What keeps a job from starting, and what it meets when it starts. Cases LAU-01 to 08 of the field. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, type NetBench, NOTED, until } from './workbench.js';

/** A net of one suspicious job beside a good one. */
function besideGood(name = 'BAD'): NetBench {
  return createBench(csvOf([[name], ['GOOD']]), { jobs: ['GOOD'] });
}

function reasonOf(net: NetBench, job: string): string | null | undefined {
  return net.statusJson().jobs.find((one) => one.job === job)?.reason;
}

describe('a script that cannot be started is the result of its job alone', () => {
  const script = (text: string, mode?: number) => (net: NetBench) => net.script('BAD', text, mode);
  const variants: [string, (net: NetBench) => void, string, string][] = [
    ['LAU-03 is missing', () => undefined, 'missing', 'looked for ./jobs/BAD and ./BAD'],
    [
      'LAU-03 is a folder',
      (net) => mkdirSync(path.join(net.folder, 'jobs/BAD')),
      'not-a-file',
      'is a folder',
    ],
    ['LAU-03 is not executable', script(NOTED, 0o644), 'not-executable', 'mode 644'],
    [
      'LAU-02 has a CR behind #!',
      script('#!/bin/bash\r\necho hi\r\nexit 0\r\n'),
      'carriage-return',
      'carriage return',
    ],
    ['LAU-02 has CRLF and no #!', script('echo hi\r\nexit 0\r\n'), 'carriage-return', 'carriage return'],
    [
      'LAU-02 has a byte-order mark',
      script('\ufeff#!/bin/sh\nexit 0\n'),
      'byte-order-mark',
      'byte-order mark',
    ],
    [
      'LAU-04 names a missing interpreter',
      script('#!/no/such/shell\nexit 0\n'),
      'interpreter-missing',
      '/no/such/shell',
    ],
    ['LAU-03 is empty', script(''), 'empty', 'is empty'],
    [
      'LAU-03 is a link to nowhere',
      (net) => symlinkSync('/no/such/file', path.join(net.folder, 'jobs/BAD')),
      'missing',
      'no script',
    ],
  ];
  test.each(variants)('%s', (_, spoil, word, text) => {
    const net = besideGood();
    spoil(net);
    const { code, out } = net.run('start', '--keep-going');
    expect(code).toBe(1);
    expect(out).toContain(text);
    expect(net.statuses()).toEqual({ BAD: '1', GOOD: '0' });
    expect(reasonOf(net, 'BAD')).toBe(word);
  });

  test('and runs on resume once it is mended', () => {
    const net = besideGood();
    net.script('BAD', NOTED, 0o644);
    net.run('start', '--keep-going');
    net.script('BAD', NOTED);
    renameSync(path.join(net.folder, 'jobs/BAD'), path.join(net.folder, 'BAD'));
    net.script('BAD', NOTED);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['GOOD', 'BAD']);
  });
});

describe('LAU-01 one rule for scripts without #!', () => {
  test('they run by /bin/sh, and their exit code arrives', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', 'echo plain >effects.txt\nexit 7\n');
    expect(net.run('start').code).toBe(1);
    expect(net.effects()).toEqual(['plain']);
    expect(net.statusJson().jobs[0]?.exit).toEqual({ code: 7 });
  });
});

describe('LAU-04 the folder of the scripts goes away while the net runs', () => {
  test('launches wait with one alarm, and go on by themselves when it is back', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A'], ['C', 'A']]), { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    renameSync(path.join(net.folder, 'jobs'), path.join(net.folder, 'away'));
    await a.exit(0);
    await running.said('is gone');
    renameSync(path.join(net.folder, 'away'), path.join(net.folder, 'jobs'));
    const { code, out } = await running.finished;
    expect(code).toBe(0);
    expect(out.match(/is gone/g)).toHaveLength(1);
    // B and C run side by side.
    expect(net.effects().sort()).toEqual(['A', 'B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });
});

describe('LAU-05 a job that asks for input', () => {
  test.each([
    ['reads a line', 'read -r answer; echo "got [$answer]" >effects.txt', 'got []'],
    ['reads everything', 'echo "got [$(cat)]" >effects.txt', 'got []'],
    ['asks for a terminal', 'if [ -t 0 ]; then echo tty; else echo no tty; fi >effects.txt', 'no tty'],
  ])('gets the end of input at once: %s', (_, line, said) => {
    const net = createBench(csvOf([['A']]));
    net.script('A', `#!/bin/sh\n${line}\n`);
    expect(net.run('start').code).toBe(0);
    expect(net.effects()).toEqual([said]);
  });
});

describe('LAU-07 names that a shell would read', () => {
  const names = [
    'month end',
    'a;touch PWNED',
    '$(touch PWNED)',
    '`id`',
    'it\'s "x"',
    '*',
    '日次 集計',
    'x y  z',
    '#comment',
    '~',
    '!!',
    'a|b&c<d>e',
    '\\n',
    '%s%n',
    '名前,コンマ',
    '(x)',
    '{a,b}',
    '[ab]',
    'a$HOME',
  ];
  test('run, log and show as what they are', () => {
    const net = createBench(csvOf(names.map((name) => [`"${name.replaceAll('"', '""')}"`])), { jobs: names });
    const { code } = net.run('start');
    expect(code).toBe(0);
    expect(net.effects().sort()).toEqual([...names].sort());
    expect(existsSync(path.join(net.folder, 'PWNED'))).toBe(false);
    expect(net.statusJson().jobs.map((job) => [job.job, job.status])).toEqual(
      names.map((name) => [name, 'ended']),
    );
    for (const name of names) expect(net.run('logs', '--', name).code, name).toBe(0);
  });

  test.each(['-n', '=x', '+x', '@x', '.x', 'a/b', 'a\u200bb', 'a\tb'])(
    '%j is refused before anything is made',
    (name) => {
      const net = createBench(csvOf([[`"${name}"`]]));
      expect(net.run('start').code).toBe(3);
      expect(existsSync(path.join(net.folder, '.jobnet'))).toBe(false);
    },
  );
});

describe('LAU-08 names that walk out of the folder', () => {
  test.each(['../outside', 'sub/../../outside', '/absolute', '..\\outside', '.', '..', 'a\0b'])(
    '%j is refused',
    (name) => {
      const net = createBench(csvOf([[`"${name}"`]]));
      writeFileSync(path.join(net.folder, '../outside'), NOTED, { mode: 0o755 });
      expect(net.run('start').code).toBe(3);
      expect(net.effects()).toEqual([]);
      expect(existsSync(path.join(net.folder, '.jobnet'))).toBe(false);
    },
  );

  test('a link inside the folder that leads outside runs, and check notes it', () => {
    const net = createBench(csvOf([['LINK']]));
    const outside = path.join(net.folder, '../outside');
    writeFileSync(outside, NOTED, { mode: 0o755 });
    symlinkSync(outside, path.join(net.folder, 'jobs/LINK'));
    expect(net.run('check').out).toContain('leads out of the folder of the net: LINK');
    expect(net.run('start').code).toBe(0);
    expect(net.effects()).toEqual(['LINK']);
  });
});

describe('the command column', () => {
  const withCommand = (command: string) =>
    `job,status,stime,etime,command\nA,9,,,"${command.replaceAll('"', '""')}"\n`;
  test.each([
    ['a short one', 'echo "$JOBNET_JOB $JOBNET_ATTEMPT" >effects.txt', ['A 1']],
    ['with a line break', 'echo one >effects.txt\necho two >>effects.txt', ['one', 'two']],
    ['over 1 KB', `echo ${'x'.repeat(2000)} >effects.txt`, ['x'.repeat(2000)]],
    ['with quotes and blanks', `printf '%s\n' "a  b" 'c"d' >effects.txt`, ['a  b', 'c"d']],
  ])('is run by /bin/sh: %s', (_, command, effects) => {
    const net = createBench(withCommand(command));
    expect(net.run('start').code).toBe(0);
    expect(net.effects()).toEqual(effects);
  });

  test('gives its exit code', () => {
    const net = createBench(withCommand('exit 5'));
    expect(net.run('start').code).toBe(1);
    expect(net.statusJson().jobs[0]?.exit).toEqual({ code: 5 });
  });
});

describe('the surroundings of a job', () => {
  test('are the folder of the net, its four variables and the environment of the controller', async () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\n{ pwd; env | grep -E "^(JOBNET_|MINE=)" | sort; } >effects.txt\n');
    const running = net.startWith(
      { env: { MINE: 'yes', JOBNET_JOB: 'outer', JOBNET_ATTEMPT: '9' } },
      'start',
    );
    expect((await running.finished).code).toBe(0);
    const { run } = net.statusJson();
    expect(net.effects()).toEqual([
      net.folder,
      'JOBNET_ATTEMPT=1',
      `JOBNET_FILE=${net.file}`,
      'JOBNET_JOB=A',
      `JOBNET_RUN=${run?.id}`,
      'MINE=yes',
    ]);
  });

  test('are the folder of the path that was given, also when the file is a link', () => {
    const net = createBench(csvOf([['A']]));
    const other = path.join(net.folder, '../other');
    mkdirSync(path.join(other, 'jobs'), { recursive: true });
    symlinkSync(net.file, path.join(other, 'linked.csv'));
    writeFileSync(path.join(other, 'jobs/A'), '#!/bin/sh\npwd >effects.txt\n', { mode: 0o755 });
    expect(net.run('start', '-f', path.join(other, 'linked.csv')).code).toBe(0);
    expect(existsSync(path.join(other, 'effects.txt'))).toBe(true);
    // State and statuses belong to the real file.
    expect(net.statuses()).toEqual({ A: '0' });
    expect(existsSync(path.join(net.folder, '.jobnet/jobnet.csv/runs'))).toBe(true);
  });

  test('hold at most so many jobs at a time', async () => {
    const jobs = ['A', 'B', 'C', 'D', 'E'];
    const net = createBench(csvOf(jobs.map((job) => [job])));
    const steered = jobs.map((job) => net.steered(job));
    const running = net.start('start', '-j', '2');
    await Promise.all([steered[0]!.started(), steered[1]!.started()]);
    await until(() => net.statusJson().counts['running'] === 2);
    expect(net.statusJson().counts).toMatchObject({ running: 2, waiting: 3, launching: 0 });
    for (const [index, one] of steered.entries()) {
      if (index > 1) await one.started();
      await one.exit(0);
    }
    expect((await running.finished).code).toBe(0);
  });
});
