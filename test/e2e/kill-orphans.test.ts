/** Ending jobs without the controller that started them: after its death, by its successor, by limits. */
import { describe, expect, test } from 'vitest';
import { journalOf } from './journal.js';
import { createBench, csvOf, isAlive, type NetBench, until } from './workbench.js';

const IGNORES_TERM =
  '#!/bin/sh\ntrap "" TERM\necho $JOBNET_JOB.$JOBNET_ATTEMPT >>effects.txt\nmkfifo f.$$\nwhile :; do read -r x <f.$$; done\n';

const typesOf = (net: NetBench, type: string) => journalOf(net).filter((event) => event.type === type);

/** Both run when the controller is killed. */
async function orphaned() {
  const net = createBench(csvOf([['A'], ['B'], ['C', 'A']]), { jobs: ['C'] });
  const [a, b] = [net.steered('A'), net.steered('B')];
  const running = net.start('start', '--keep-going');
  await a.started();
  await b.started();
  await until(() => typesOf(net, 'running').length === 2);
  running.child.kill('SIGKILL');
  await running.finished;
  return { net, a, b };
}

describe('jobs of a controller that is dead', () => {
  test('can be ended one by one; the others go on, and resume takes them over', async () => {
    const { net, b } = await orphaned();
    const { code, out } = net.run('kill', 'A');
    expect([code, out]).toEqual([0, expect.stringContaining('A #1  killed: by jobnet kill')]);
    expect(net.statuses()).toEqual({ A: '1', B: '2', C: '9' });
    expect(net.statusJson().counts).toMatchObject({ killed: 1, running: 1 });
    const running = net.start('resume', '--keep-going', '--dry-run');
    expect((await running.finished).out).toMatch(/B #1 {2}still runs[\s\S]*Run again: 1 job that abended: A/);
    net.script('A', '#!/bin/sh\nexit 0\n');
    const resumed = net.start('resume');
    await resumed.said('B #1  still runs');
    await b.exit(0);
    expect([(await resumed.finished).code, net.effects().sort()]).toEqual([0, ['A', 'B', 'C']]);
  });

  test('can be ended all at once by stop --kill', async () => {
    const { net } = await orphaned();
    expect(net.run('stop').code).toBe(5);
    const { code, out } = net.run('stop', '--kill');
    expect([code, out.split('\n').length]).toEqual([0, 3]);
    expect(net.statuses()).toEqual({ A: '1', B: '1', C: '9' });
  });

  test('are ended with their launchers gone as well', async () => {
    const { net } = await orphaned();
    for (const event of typesOf(net, 'launcher-started')) {
      if (event.type === 'launcher-started' && isAlive(event.pid)) process.kill(event.pid, 'SIGKILL');
    }
    expect(net.run('kill', 'A', 'B').code).toBe(0);
    expect(net.statuses()).toEqual({ A: '1', B: '1', C: '9' });
    expect(net.statusJson().counts).toMatchObject({ killed: 2 });
  });

  test('that ended by themselves keep their own end, which is said', async () => {
    const { net, a } = await orphaned();
    await a.exit(3);
    await until(() => net.statusJson().counts['abended'] === 1);
    const { code, err } = net.run('kill', 'A');
    expect([code, err]).toEqual([
      6,
      expect.stringMatching(/^A #1 {2}was over before it could be asked: abended: exit code 3/),
    ]);
    expect(net.statusJson().jobs[0]).toMatchObject({ status: 'abended', exit: { code: 3 } });
    net.run('stop', '--kill');
  });
});

describe('a timeout', () => {
  test('ends a job that runs for too long, also under the next controller, and at its own time', async () => {
    const net = createBench('job,status,stime,etime,timeout\nA,9,,,2s\nB,9,,,\n');
    net.script('A', IGNORES_TERM);
    const b = net.steered('B');
    const first = net.start('start');
    await b.started();
    await until(() => typesOf(net, 'running').length === 2);
    first.child.kill('SIGKILL');
    await first.finished;
    const second = net.start('resume', '--keep-going');
    await second.said('A  is being ended: it ran for longer than 2.0s (timeout)');
    // By force, and without the ten seconds of grace.
    expect(net.run('kill', 'A', '--signal', 'KILL').code).toBe(0);
    await b.exit(0);
    await second.finished;
    const [launching] = typesOf(net, 'launching') as { at?: number }[];
    const requests = typesOf(net, 'kill-requested') as { at?: number }[];
    expect(requests[0]!.at! - launching!.at!).toBeGreaterThanOrEqual(2000);
    expect(net.statusJson().jobs[0]).toMatchObject({ status: 'killed', reason: 'killed' });
    expect(net.effects().filter((line) => line.startsWith('A.'))).toEqual(['A.1']);
  });
});

describe('a request', () => {
  test('is carried out by the command that made it when the controller dies', async () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', IGNORES_TERM);
    const first = net.start('start');
    await until(() => net.effects().length > 0);
    const kill = net.start('kill', 'A', '--grace', '1s');
    await first.said('A  is being ended');
    first.child.kill('SIGKILL');
    expect([(await kill.finished).code, net.statuses()]).toEqual([0, { A: '1' }]);
    expect(typesOf(net, 'kill-requested')).toHaveLength(1);
  });

  test('that was being carried out when the controller died is carried out by the next one', async () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', IGNORES_TERM);
    const first = net.start('start');
    await until(() => net.effects().length > 0);
    const kill = net.start('kill', 'A', '--grace', '1s');
    await first.said('A  is being ended');
    kill.child.kill('SIGKILL');
    first.child.kill('SIGKILL');
    await first.finished;
    const { code } = await net.start('resume').finished;
    expect(code).toBe(1);
    expect(typesOf(net, 'kill-requested')).toHaveLength(1);
    expect(net.statusJson().jobs[0]).toMatchObject({ status: 'killed', attempt: 1 });
    expect(net.effects()).toEqual(['A.1']);
  });
});

describe('KIL-07 one job abends', () => {
  async function abendedBesideB(...options: string[]) {
    const net = createBench(csvOf([['A'], ['B'], ['D', 'B'], ['E', 'A']]), { jobs: ['D', 'E'] });
    const [a, b] = [net.steered('A'), net.steered('B')];
    const running = net.start('start', ...options);
    await a.started();
    await b.started();
    await a.exit(1);
    return { net, b, running };
  }

  test('with --fail-fast what runs is ended', async () => {
    const { net, running } = await abendedBesideB('--fail-fast');
    const { code, out } = await running.finished;
    expect([code, net.statuses()]).toEqual([1, { A: '1', B: '1', D: '9', E: '9' }]);
    expect(out).toContain('B  killed: because another job abended (--fail-fast)');
  });

  test('without it what runs finishes', async () => {
    const { net, b, running } = await abendedBesideB();
    await running.said('A  abended');
    await b.exit(0);
    expect([(await running.finished).code, net.statuses()]).toEqual([1, { A: '1', B: '0', D: '9', E: '9' }]);
  });

  test('--fail-fast and --keep-going do not go together', () => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    expect(net.run('start', '--fail-fast', '--keep-going').code).toBe(2);
  });
});

describe('jobnet stop', () => {
  test('starts nothing new, and the controller ends with what runs', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    const { code, out } = net.run('stop');
    expect([code, out]).toEqual([0, 'jobnet stop: nothing new is started; waiting for 1 job\n']);
    await a.exit(0);
    expect([(await running.finished).code, net.statuses()]).toEqual([143, { A: '0', B: '9' }]);
  });

  test('--kill ends what runs as well', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    expect(net.run('stop', '--kill').code).toBe(0);
    const { code, out } = await running.finished;
    expect([code, net.statuses()]).toEqual([143, { A: '1', B: '9' }]);
    expect(out).toContain('A  killed: by jobnet stop --kill');
  });
});
