/** KIL-01 to KIL-07: ending jobs for certain, with real processes. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { findProgram } from '../executor/support.js';
import { journalOf } from './journal.js';
import { createBench, csvOf, isAlive, type NetBench, until } from './workbench.js';

const bash = findProgram('bash');

/** A script that notes the pids of what it leaves running; `$1 …` are lines of it. */
function noted(...lines: string[]): string {
  return `#!/bin/sh\necho $$ >>pids\n${lines.join('\n')}\n`;
}

const FOR_EVER = 'while :; do read -r x <never; done';

function pidsOf(net: NetBench): number[] {
  return readFileSync(path.join(net.folder, 'pids'), 'utf8').trim().split('\n').map(Number);
}

/** Runs `A`, and B beside it, until A has noted so many pids. */
async function started(script: string, pids: number, csv = csvOf([['A'], ['B']])) {
  const net = createBench(csv);
  net.script('A', script);
  execFileSync('mkfifo', [path.join(net.folder, 'never')]);
  const b = net.steered('B');
  const running = net.start('start', '--keep-going');
  await b.started();
  await until(() => {
    try {
      return (
        pidsOf(net).length === pids && journalOf(net).filter(({ type }) => type === 'running').length === 2
      );
    } catch {
      return false;
    }
  });
  onTestFinished(() => {
    for (const pid of pidsOf(net)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { net, b, running };
}

const isGone = (pid: number) => !isAlive(pid) || readStat(pid)?.life === 'dead';

const CASES: [string, string, number, string[]][] = [
  [
    'KIL-01 a shell with a child',
    noted(`(echo $$ >/dev/null; sh -c 'echo $$ >>pids; ${FOR_EVER}') &`, 'wait'),
    2,
    [],
  ],
  ['KIL-01 a pipeline', noted(`sh -c 'echo $$ >>pids; ${FOR_EVER}' | cat`), 2, []],
  [
    'that traps TERM, exits 0 and has two levels of children',
    noted("trap 'exit 0' TERM", `sh -c 'echo $$ >>pids; sh -c "echo \\$\\$ >>pids; ${FOR_EVER}"' &`, 'wait'),
    3,
    [],
  ],
  ['that ignores TERM', noted("trap '' TERM", FOR_EVER), 1, ['--grace', '300ms']],
  [
    'KIL-03 with a child in its own session',
    noted(`setsid sh -c 'echo $$ >>pids; ${FOR_EVER}' &`, 'wait'),
    2,
    [],
  ],
  [
    'KIL-03 with a child of nohup',
    noted(`nohup sh -c 'echo $$ >>pids; ${FOR_EVER}' >/dev/null 2>&1 &`, 'wait'),
    2,
    [],
  ],
  ['KIL-03 with a double fork', noted(`(setsid sh -c 'echo $$ >>pids; ${FOR_EVER}' &)`, FOR_EVER), 2, []],
  [
    'with a child that ignores TERM in its own session',
    noted(`setsid sh -c 'trap "" TERM; echo $$ >>pids; ${FOR_EVER}' &`, 'wait'),
    2,
    ['--grace', '300ms'],
  ],
  [
    'whose child has emptied its environment',
    noted(`env -i /bin/sh -c 'echo $$ >>pids; ${FOR_EVER}' &`, 'wait'),
    2,
    [],
  ],
  [
    'whose child has left the group and emptied its environment',
    noted(`setsid env -i /bin/sh -c 'echo $$ >>pids; ${FOR_EVER}' &`, FOR_EVER),
    2,
    ['--grace', '300ms'],
  ],
  ['KIL-06 that is stopped', noted('kill -STOP $$'), 1, []],
];

describe('a job', () => {
  test.each(CASES)(
    '%s is gone with all it has started, and killed; its neighbour goes on',
    async (_, script, pids, options) => {
      const { net, b, running } = await started(script, pids);
      const { code, out } = net.run('kill', 'A', ...options);
      expect([code, out]).toEqual([0, expect.stringMatching(/^A #1 {2}killed: by jobnet kill \(.+\)\n$/)]);
      expect(pidsOf(net).filter((pid) => !isGone(pid))).toEqual([]);
      expect(net.statusJson().counts).toMatchObject({ killed: 1, running: 1 });
      await b.exit(0);
      const finished = await running.finished;
      expect([finished.code, net.statuses()]).toEqual([1, { A: '1', B: '0' }]);
      expect(net.statusJson().jobs[0]).toMatchObject({ status: 'killed', reason: 'killed', attempt: 1 });
    },
  );

  test.skipIf(!bash)('KIL-02 of bash cleans up at once, in its trap', async () => {
    const script = `#!${bash}\necho $$ >>pids\ntrap 'echo cleaned >>effects.txt; exit 3' TERM\n${FOR_EVER}\n`;
    const { net, b, running } = await started(script, 1);
    expect(net.run('kill', 'A').code).toBe(0);
    expect(net.effects()).toContain('cleaned');
    await b.exit(0);
    await running.finished;
  });

  test('gets the first signal that is asked for', async () => {
    const script = noted("trap 'echo USR1 >>effects.txt; exit 0' USR1", FOR_EVER);
    const { net, b, running } = await started(script, 1);
    expect(net.run('kill', 'A', '--signal', 'SIGUSR1').code).toBe(0);
    expect(net.effects()).toContain('USR1');
    await b.exit(0);
    await running.finished;
  });

  test('is gone at once with KILL', async () => {
    const { net, b, running } = await started(noted("trap '' TERM INT HUP", FOR_EVER), 1);
    expect(net.run('kill', 'A', '--signal', 'kill').code).toBe(0);
    await b.exit(0);
    expect((await running.finished).code).toBe(1);
  });

  test.each(['kill 0', 'kill -9 0', "trap 'trap - EXIT TERM; kill 0' EXIT"])(
    'KIL-04 that says %s hits neither its neighbour nor the controller',
    async (line) => {
      const net = createBench(csvOf([['A'], ['B']]));
      net.script('A', `#!/bin/sh\n${line}\n`);
      const b = net.steered('B');
      const running = net.start('start', '--keep-going');
      await b.started();
      await until(() =>
        journalOf(net).some((event) => 'job' in event && event.job === 'A' && event.type === 'abended'),
      );
      await b.exit(0);
      expect((await running.finished).code).toBe(1);
      expect(net.statuses()).toEqual({ A: '1', B: '0' });
    },
  );
});

describe('jobnet kill', () => {
  test('answers 6 for what does not run, and says what it is', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A'], ['C', 'B']]), { jobs: ['A', 'C'] });
    const b = net.steered('B');
    const running = net.start('start');
    await b.started();
    const { code, err } = net.run('kill', 'A', 'C', 'nosuch');
    expect(code).toBe(6);
    expect(err).toMatch(
      /A {2}is not running \(ended\)\nC {2}is not running \(waiting\)\nthere is no job "nosuch"/,
    );
    await b.exit(0);
    expect((await running.finished).code).toBe(0);
  });

  test('says in JSON what came of each', async () => {
    const { net, b, running } = await started(noted(FOR_EVER), 1);
    const [killed] = JSON.parse(net.run('kill', 'A', '--json').out);
    expect(killed).toMatchObject({ job: 'A', attempt: 1, outcome: 'killed', reason: { kind: 'killed' } });
    await b.exit(0);
    await running.finished;
  });

  test('may be pressed twice', async () => {
    const { net, b, running } = await started(noted("trap '' TERM", FOR_EVER), 1);
    const first = net.start('kill', 'A', '--grace', '1s');
    await running.said('A  is being ended');
    const second = net.run('kill', 'A', '--grace', '1s');
    expect([second.code, (await first.finished).code]).toEqual([0, 0]);
    expect(journalOf(net).filter(({ type }) => type === 'kill-requested')).toHaveLength(1);
    await b.exit(0);
    await running.finished;
  });

  test.each([['--signal', 'NOSUCH'], ['--grace', 'soon'], []])(
    'is not used like this: %s %s',
    (...options) => {
      const net = createBench(csvOf([['A']]), { jobs: ['A'] });
      expect(net.run('kill', ...(options.length > 0 ? ['A'] : []), ...options).code).toBe(2);
    },
  );

  test('is followed by resume, which runs the job again', async () => {
    const { net, b, running } = await started(noted(FOR_EVER), 1);
    net.run('kill', 'A');
    await b.exit(0);
    await running.finished;
    net.script('A', '#!/bin/sh\nexit 0\n');
    const { code, out } = net.run('resume');
    expect([code, out]).toEqual([0, expect.stringContaining('Run again: 1 job that abended: A')]);
  });
});
