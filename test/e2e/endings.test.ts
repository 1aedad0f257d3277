/** How jobs end, what that means for others, and what is shown of it. Cases EXI-01 to 04, GRA-06, GRA-07, KIL-07. */
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, ending, NOTED, until } from './workbench.js';

const jobOf = (net: ReturnType<typeof createBench>, job: string) =>
  net.statusJson().jobs.find((one) => one.job === job)!;

describe('EXI-01 death by a signal is never a normal end', () => {
  test.each(['KILL', 'SEGV', 'ABRT', 'HUP', 'PIPE', 'TERM', 'INT'])('%s', (signal) => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    net.script('A', `#!/bin/sh\nkill -${signal} $$\n`);
    const { code, out } = net.run('start');
    expect(code).toBe(1);
    expect(net.statuses()).toEqual({ A: '1', B: '9' });
    expect(jobOf(net, 'A').exit).toMatchObject({ signal });
    expect(out).toContain(`as after signal ${signal}`);
  });

  test('arrives as 137 as well when a shell stands between', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', "#!/bin/sh\nsh -c 'kill -9 $$'\n");
    net.run('start');
    expect(jobOf(net, 'A').exit).toEqual({ code: 137, signal: 'KILL' });
  });

  test('a hint on memory stands beside 137', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\nkill -9 $$\n');
    expect(net.run('start').out).toContain('out of memory?');
  });
});

describe('EXI-02 only the low eight bits of an exit value arrive', () => {
  test.each([
    [256, '0'],
    [257, '1'],
    [512, '0'],
    [-1, '1'],
  ])('exit %i', (value, status) => {
    const net = createBench(csvOf([['A']]));
    net.script('A', `#!/bin/bash\nexit ${value}\n`);
    net.run('start');
    expect(net.statuses()).toEqual({ A: status });
  });

  test('so check looks for values outside 0 to 255', () => {
    const net = createBench(csvOf([['A'], ['B'], ['C']]));
    net.script('A', '#!/bin/sh\nset -e\nexit 256\n');
    net.script('B', '#!/bin/sh\nset -e\nexit 255\n');
    net.script('C', '#!/bin/sh\nset -e\n[ -f x ] || exit -1\n');
    expect(net.run('check').out).toMatch(/low 8 bits.*: A, C\n/);
  });
});

describe('EXI-03 the same cause has one name, and hints are hints', () => {
  test.each([
    [
      'a script that calls a missing command last',
      '#!/bin/sh\nnosuchcommand\n',
      { code: 127 },
      'often: a command that was not found',
    ],
    [
      'a script that calls a folder',
      '#!/bin/sh\n/tmp\n',
      { code: 126 },
      'often: a command that cannot be executed',
    ],
    [
      'a kill -9 inside a nested shell',
      "#!/bin/bash\nbash -c 'kill -9 $$'\n",
      { code: 137, signal: 'KILL' },
      'as after signal KILL',
    ],
  ])('%s', (_, text, exit, said) => {
    const net = createBench(csvOf([['A']]));
    net.script('A', text);
    const { out } = net.run('start');
    expect(jobOf(net, 'A')).toMatchObject({ csv: '1', status: 'abended', reason: 'exit', exit });
    expect(out).toContain(said);
  });

  test('a missing script has no exit code, but a reason', () => {
    const net = createBench(csvOf([['A']]));
    net.run('start');
    expect(jobOf(net, 'A')).toMatchObject({ csv: '1', status: 'abended', reason: 'missing', exit: null });
  });

  test('a file of binary garbage abends with a code of its own', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '\x01\x02\x03\0garbage\0');
    expect(net.run('start').code).toBe(1);
    expect(jobOf(net, 'A')).toMatchObject({ csv: '1', reason: 'exit' });
  });
});

describe('EXI-04 failures hidden inside a script', () => {
  test('are not guessed at run time: the script says 0', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/bash\nfalse | tee -a load.log\n');
    expect(net.run('start').code).toBe(0);
  });

  test('are looked for by check', () => {
    const net = createBench(csvOf([['PIPE'], ['SAFE'], ['LOOSE']]));
    net.script('PIPE', '#!/bin/bash\nset -e\nfalse | tee -a load.log\n');
    net.script('SAFE', '#!/bin/bash\nset -eo pipefail\nfalse | tee -a load.log\n');
    net.script('LOOSE', '#!/bin/sh\nfalse\ntrue\n');
    const { out, code } = net.run('check');
    expect(out).toMatch(/pipefail.*: PIPE\n/);
    expect(out).toMatch(/no "set -e".*: LOOSE\n/);
    expect(code).toBe(0);
  });
});

describe('GRA-07 only a normal end of every predecessor releases a job', () => {
  test('a successor of an abended and an ended job stays 9, and says behind whom', () => {
    const net = createBench(csvOf([['A'], ['C'], ['B', 'A', 'C']]), { jobs: ['B', 'C'] });
    net.script('A', ending(1));
    net.run('start', '--keep-going');
    expect(net.statuses()).toEqual({ A: '1', B: '9', C: '0' });
    expect(jobOf(net, 'B')).toMatchObject({ status: 'blocked', blockedBy: ['A'] });
    expect(net.run('status').out).toContain('waits behind A');
  });
});

describe('GRA-06 names of object members are ordinary names', () => {
  test('they run in order', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const net = createBench(
      csvOf(names.map((name, index) => (index > 0 ? [name, names[index - 1]!] : [name]))),
      { jobs: names },
    );
    expect(net.run('start').code).toBe(0);
    expect(net.effects()).toEqual(names);
    expect(net.statusJson().jobs.map((job) => job.job)).toEqual(names);
  });

  test('one that is no row is an unknown predecessor', () => {
    const net = createBench(csvOf([['X', 'toString']]), { jobs: ['X'] });
    const { code, err } = net.run('start');
    expect(code).toBe(3);
    expect(err).toContain('"toString", which does not exist');
  });
});

describe('KIL-07 what an abend means for the others', () => {
  const rows = [['A'], ['B'], ['C'], ['D', 'B'], ['E', 'A']] as const;

  test('by default running jobs finish and nothing new starts', async () => {
    const net = createBench(csvOf(rows), { jobs: ['D', 'E'] });
    const [a, b, c] = [net.steered('A'), net.steered('B'), net.steered('C')];
    const running = net.start('start', '-j', '8');
    await Promise.all([a.started(), b.started(), c.started()]);
    await a.exit(1);
    await running.said('abended');
    await until(() => net.statusJson().counts['running'] === 2);
    expect(net.statusJson()).toMatchObject({
      run: { state: 'running' },
      counts: { abended: 1, blocked: 1, waiting: 1 },
    });
    await b.exit(0);
    await c.exit(0);
    expect((await running.finished).code).toBe(1);
    expect(net.statuses()).toEqual({ A: '1', B: '0', C: '0', D: '9', E: '9' });
  });

  test('with --keep-going branches that do not depend on it go on', async () => {
    const net = createBench(csvOf(rows), { jobs: ['B', 'C', 'D', 'E'] });
    net.script('A', ending(1));
    expect(net.run('start', '--keep-going').code).toBe(1);
    expect(net.statuses()).toEqual({ A: '1', B: '0', C: '0', D: '0', E: '9' });
  });

  test('resume after that runs the abended one and what was blocked', () => {
    const net = createBench(csvOf(rows), { jobs: ['B', 'C', 'D', 'E'] });
    net.script('A', ending(1));
    net.run('start', '--keep-going');
    net.script('A', NOTED);
    const before = net.effects().length;
    expect(net.run('resume').code).toBe(0);
    expect(net.effects().slice(before)).toEqual(['A', 'E']);
    expect(jobOf(net, 'A').attempt).toBe(2);
  });
});
