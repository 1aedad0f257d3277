/** A controller that is killed at a moment that matters, with or without its jobs, and what is true afterwards. */
import { describe, expect, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { crashAt } from '../crash/crashes.js';
import { isLinux } from '../executor/support.js';
import { elsewhere } from './elsewhere.js';
import { journalOf } from './journal.js';
import { killController, killJobs, killLaunchers } from './killed.js';
import { createBench, csvOf, type NetBench, NOTED, type Running, until } from './workbench.js';

const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B']]);

/** The net runs, and its only steered job waits for the test; that it does is on record. */
async function runningUpTo(net: NetBench, job: string) {
  const steered = net.steered(job);
  const running = net.start('start');
  await steered.started();
  await until(() => journalOf(net).some((event) => event.type === 'running' && event.job === job));
  return { steered, running };
}

describe('STA-01 nothing is left of a job that the CSV calls running', () => {
  const boot = isLinux ? elsewhere({ boot: 'the-next-one' }) : {};

  async function statusThere(net: NetBench, env: Record<string, string>) {
    return JSON.parse((await net.startWith({ env }, 'status', '--json').finished).out);
  }

  /** The order of a power cut does not matter: a launcher that outlives its job records the job's end. */
  async function killAll(net: NetBench, running: Running) {
    await killController(running);
    await killLaunchers(net);
    await killJobs(net);
  }

  test.each([
    ['on the same boot', {}, killAll],
    ['after a reboot', boot, killAll],
    // Numbers of processes and their start times begin anew with each boot: what has them now is somebody else.
    [
      'after a reboot, with processes that look the same',
      boot,
      (_: NetBench, running: Running) => killController(running),
    ],
  ])('STA-01: %s it is lost, said so, and never run again unasked', async (how, env, kill) => {
    if (!isLinux && how !== 'on the same boot') return;
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const { running } = await runningUpTo(net, 'A');
    await until(() => net.statuses()['A'] === '2');
    await kill(net, running);
    expect(await statusThere(net, env)).toMatchObject({
      run: { state: 'abended' },
      controller: { state: 'dead' },
      jobs: [{ job: 'A', csv: '1', status: 'lost' }, { status: 'blocked' }, { status: 'blocked' }],
    });

    const japanese = await net.startWith({ env }, 'resume', '--dry-run', '--lang', 'ja').finished;
    expect(japanese.out).toContain('A #1  終了状態不明: ');
    const { code, out } = await net.startWith({ env }, 'resume').finished;
    expect(code).toBe(1);
    expect(out).toContain('A #1  lost: ');
    expect(out).toContain('Left alone: 1 job lost; --rerun-lost runs them again');
    expect(net.statuses()).toEqual({ A: '1', B: '9', C: '9' });
    expect(net.read()).toMatch(/^A,1,\d{4}[^,]*,,/m);
    expect(net.effects()).toEqual(['A']);

    net.script('A', NOTED);
    expect((await net.startWith({ env }, 'resume', '--rerun-lost').finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
  });

  test.each([['start'], ['reset']])('STA-01: it does not hold up the next %s', async (command) => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const { running } = await runningUpTo(net, 'A');
    await killAll(net, running);
    net.script('A', NOTED);
    const { code, out } = net.run(command);
    expect([code, out]).toEqual([0, expect.stringContaining('was not finished and is closed')]);
    const closed = journalOf(net).filter(({ type }) => type === 'abended' || type === 'closed');
    expect(closed[0]).toMatchObject({ job: 'A', attempt: 1, reason: { kind: 'lost' } });
    expect(closed[1]).toMatchObject({ as: 'abandoned' });
  });

  test.each([
    ['on the same boot', {}],
    ['after a reboot', boot],
  ])('STA-01: the result that its launcher recorded is used (%s)', async (_, env) => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const { running } = await runningUpTo(net, 'A');
    await killController(running);
    await killJobs(net);
    await until(() => net.statusJson().jobs[0]?.status !== 'running');
    const exit = { code: 137, signal: 'KILL' };
    expect((await statusThere(net, env)).jobs[0]).toMatchObject({ csv: '1', status: 'abended', exit });
    const preview = await net.startWith({ env }, 'resume', '--dry-run').finished;
    expect(preview.out).toContain('A #1  ended meanwhile: exit code 137');
  });
});

describe('STA-03 a chain whose controller is killed', () => {
  test('STA-03: while B runs: B is taken over, and runs once', async () => {
    const net = createBench(CHAIN, { jobs: ['A', 'C'] });
    const { steered: b, running } = await runningUpTo(net, 'B');
    await killController(running);
    const resumed = net.start('resume');
    await resumed.said('B #1  still runs');
    await b.exit(0);
    expect((await resumed.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  /** Stopped before it can hear of it, the controller dies when B has ended. */
  async function killedBehindB(code: number) {
    const net = createBench(CHAIN, { jobs: ['A', 'C'] });
    const { steered: b, running } = await runningUpTo(net, 'B');
    await until(() => net.statuses()['B'] === '2');
    running.child.kill('SIGSTOP');
    await until(() => readStat(running.pid)?.life === 'frozen');
    await b.exit(code);
    await until(() => net.statusJson().jobs[1]?.status !== 'running');
    await killController(running);
    expect(net.statuses()).toEqual({ A: '0', B: '2', C: '9' });
    expect(journalOf(net).filter(({ type }) => type === 'ended')).toMatchObject([{ job: 'A' }]);
    return net;
  }

  test('STA-03: just after B ended well: that is taken, and B runs once', async () => {
    const net = await killedBehindB(0);
    const { code, out } = net.run('resume');
    expect([code, out]).toEqual([0, expect.stringContaining('B #1  ended meanwhile: exit code 0')]);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });

  test('STA-03: just after B abended: that is taken, and resume runs B again under the next number', async () => {
    const net = await killedBehindB(3);
    expect(net.run('resume', '--dry-run').out).toMatch(
      /B #1 {2}ended meanwhile: exit code 3\nRun again: .*: B/,
    );
    net.script('B', NOTED);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'B', 'C']);
    expect(net.statusJson().jobs.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
  });

  test('STA-03: between the claim and A: nothing is forgotten, everything runs once', async () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    const { code } = await crashAt(net, 1, 'controller', 'start');
    expect(code).toBeNull();
    expect(net.statusJson()).toMatchObject({
      controller: { state: 'dead', epoch: 1 },
      counts: { waiting: 3 },
    });
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    expect(net.run('resume').out).toContain('nothing to do');
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });
});

test.each([
  ['empty', ''],
  ['zeros', '\0'.repeat(400)],
])(
  'STA-06: a CSV that is %s while jobs of a dead controller live is refused, and they go on',
  async (_, text) => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const { steered: a, running } = await runningUpTo(net, 'A');
    await until(() => net.statuses()['A'] === '2');
    await killController(running);
    const whole = net.read();
    net.csv(text);
    for (const command of ['start', 'resume', 'reset'])
      expect([command, net.run(command).code]).toEqual([command, 3]);
    expect([net.read(), net.statusJson().jobs[0]?.status]).toEqual([text, 'running']);
    net.csv(whole);
    const resumed = net.start('resume');
    await resumed.said('A #1  still runs');
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  },
);
