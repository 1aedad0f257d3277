/** The death of a controller with jobs in flight, and what the next one makes of it. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalOf } from './journal.js';
import { killController, killLaunchers } from './killed.js';
import { createBench, csvOf, type NetBench, NOTED, until } from './workbench.js';

const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B']]);

test.each(['resume', 'start'])('STA-11: a summary that was never written is made again by %s', (command) => {
  const net = createBench(csvOf([['A']]), { jobs: ['A'] });
  net.run('start');
  const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const summaries = () =>
    readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('summary.json'));
  const file = path.join(runs, summaries()[0]!);
  const before = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  net.run(command);
  const after = JSON.parse(readFileSync(file, 'utf8'));
  expect({ ...after, endedAt: 0 }).toEqual({ ...before, endedAt: 0 });
});

describe('a controller that was killed', () => {
  /** Killed while A runs; A is still waiting for the test. */
  async function killedWhileRunning(net: NetBench) {
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await until(() => journalOf(net).some((line) => line.type === 'running'));
    await killController(running);
    return a;
  }

  test('STA-02: leaves its jobs alive: start answers 11 and lists them', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    expect(net.statusJson()).toMatchObject({
      run: { state: 'running' },
      controller: { state: 'dead' },
      counts: { running: 1, waiting: 2 },
    });
    const { code, err } = net.run('start');
    expect(code).toBe(11);
    expect(err).toMatch(/1 job of an earlier controller still lives[\s\S]*A #1 {2}pid \d+/);
    await a.exit(0);
  });

  test('STA-02: is followed by one that takes its living jobs over, as resume --dry-run says', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    expect(net.run('resume', '--dry-run').out).toMatch(/A #1 {2}still runs \(pid [\d ]+\); it is taken over/);
    const resumed = net.start('resume');
    await resumed.said('it is taken over');
    await until(() => net.statusJson().controller?.state === 'alive');
    for (const command of ['resume', 'start']) expect(net.run(command).code).toBe(11);
    expect(net.statusJson().jobs[0]).toMatchObject({ status: 'running', attempt: 1 });
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });

  test.each([
    [0, 0, '0'],
    [3, 1, '1'],
  ])(
    'STA-02: with four jobs living: each runs once, one ends with %i, exit code %i',
    async (end, code, row) => {
      const net = createBench(csvOf([['A'], ['B'], ['C'], ['D'], ['E', 'A', 'B', 'C', 'D']]), {
        jobs: ['E'],
      });
      const jobs = ['A', 'B', 'C', 'D'].map((name) => net.steered(name));
      const running = net.start('start', '-j', '4');
      for (const job of jobs) await job.started();
      await killController(running);
      const resumed = net.start('resume');
      await resumed.said('D #1  still runs');
      for (const job of jobs.slice(0, 3)) await job.exit(0);
      await jobs[3]!.exit(end);
      expect((await resumed.finished).code).toBe(code);
      expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0', D: row, E: row === '0' ? '0' : '9' });
      expect(net.effects().sort()).toEqual(row === '0' ? ['A', 'B', 'C', 'D', 'E'] : ['A', 'B', 'C', 'D']);
    },
  );

  test('STA-02: and whose successor is killed as well: the third one takes the same job over', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    const second = net.start('resume');
    await second.said('it is taken over');
    second.child.kill('SIGKILL');
    await second.finished;
    const third = net.start('resume');
    await third.said('it is taken over');
    await a.exit(0);
    expect((await third.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test('STA-02: while a job ran whose row was taken out meanwhile: it is taken over as well, and not run again', async () => {
    const net = createBench(csvOf([['A'], ['B']]), { jobs: ['B'] });
    const a = await killedWhileRunning(net);
    net.csv('job,status,stime,etime,prev1\nB,9,,,\n');
    const resumed = net.start('resume', '--accept');
    await resumed.said('A #1  still runs');
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    expect(net.effects().sort()).toEqual(['A', 'B']);
    expect(net.statuses()).toEqual({ B: '0' });
  });

  test('STA-02, STA-03: is followed by one that takes the exit code that the launcher recorded', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'ended');
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });

  test('STA-03: is followed by one that runs an abended job again under the next number', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await a.exit(3);
    await until(() => net.statusJson().jobs[0]?.status === 'abended');
    net.script('A', NOTED);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
    expect(net.statusJson().jobs[0]?.attempt).toBe(2);
  });

  test('STA-02: with its launcher killed too leaves the job running, then lost; nothing is rerun without the flag', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await killLaunchers(net);
    expect(net.statusJson().jobs[0]?.status).toBe('running');
    const resumed = net.start('resume');
    await resumed.said('its launcher is gone');
    await a.exit(0);
    const { code, out } = await resumed.finished;
    expect(code).toBe(1);
    expect(out).toContain('--rerun-lost');
    expect(net.statusJson().jobs[0]?.status).toBe('lost');
    expect(net.effects()).toEqual(['A']);
    net.script('A', NOTED);
    expect(net.run('resume', '--rerun-lost').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
  });

  test.each([
    ['--rerun-lost', 'job,status,stime,etime,prev1\nA,9,,,\n', ['--rerun-lost']],
    ['on_lost=rerun', 'job,status,stime,etime,prev1,on_lost\nA,9,,,,rerun\n', []],
  ])(
    'STA-03: with its launcher killed too: with %s a job that turns out lost runs again at once',
    async (_, csv, args) => {
      const net = createBench(csv);
      const a = await killedWhileRunning(net);
      await killLaunchers(net);
      const resumed = net.start('resume', ...args);
      await resumed.said('its launcher is gone');
      net.script('A', NOTED);
      await a.exit(0);
      expect((await resumed.finished).code).toBe(0);
      expect(net.effects()).toEqual(['A', 'A']);
      expect(net.statusJson().jobs[0]).toMatchObject({ status: 'ended', attempt: 2 });
    },
  );

  test('STA-03: leaves a launch that was never fed: it runs under the next number', async () => {
    const net = createBench(csvOf([['A'], ['B']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start', '-j', '1');
    await a.started();
    await until(() => journalOf(net).some((line) => line.type === 'intended' && line.job === 'B'));
    await killController(running);
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'ended');
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B']);
    expect(net.statusJson().jobs[1]).toMatchObject({ status: 'ended', attempt: 2 });
  });

  test('STA-01: does not stop the next start, which closes the run as abandoned and says what resume would have kept', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'ended');
    net.script('A', NOTED);
    const { code, out } = net.run('start');
    expect(code).toBe(0);
    expect(out).toContain('resume would have kept 1 ended');
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
    expect(journalOf(net).filter((line) => line.type === 'closed')).toMatchObject([
      { as: 'abandoned' },
      { as: 'ended' },
    ]);
  });
});
