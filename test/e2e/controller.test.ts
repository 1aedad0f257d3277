/** The life of a controller: signals, a second one, its death with jobs in flight, the background, previews. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, ending, isAlive, type NetBench, NOTED, until } from './workbench.js';

const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B']]);

function journalOf(net: NetBench): { type: string; job?: string; attempt?: number }[] {
  const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const files = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const lines = files.sort().flatMap((file) => readFileSync(path.join(runs, file), 'utf8').split('\n'));
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

describe('stopping', () => {
  test.each([
    ['SIGINT', 130, 'Ctrl-C'],
    ['SIGTERM', 143, 'TERM'],
  ] as const)('%s: running jobs finish, nothing new starts, exit %i', async (signal, code, word) => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    running.child.kill(signal);
    await running.said(`${word}: nothing new is started`);
    await a.exit(0);
    expect((await running.finished).code).toBe(code);
    expect(net.statuses()).toEqual({ A: '0', B: '9', C: '9' });
    expect(net.statusJson().run?.state).toBe('stopped');
  });

  test('a second Ctrl-C says that the jobs go on', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    running.child.kill('SIGINT');
    await running.said('nothing new is started');
    running.child.kill('SIGINT');
    await running.said('still waiting for 1 job');
    await a.exit(0);
    expect((await running.finished).code).toBe(130);
    expect(net.statuses()['A']).toBe('0');
  });

  test('resume goes on behind what had ended', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    running.child.kill('SIGTERM');
    await running.said('nothing new is started');
    await a.exit(0);
    await running.finished;
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test('a lost terminal (HUP) does not stop it', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    running.child.kill('SIGHUP');
    await until(() =>
      readFileSync(path.join(net.folder, '.jobnet/jobnet.csv/controller.log'), 'utf8').includes('SIGHUP'),
    );
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });

  test('a reader that goes away does not stop it', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    const main = path.resolve('dist/cli/main.js');
    spawnSync('/bin/sh', ['-c', `'${process.execPath}' '${main}' start | head -n 1`], { cwd: net.folder });
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });
});

describe('one controller at a time', () => {
  test.each(['start', 'resume', 'reset'])(
    'a second %s is refused with 11, says who, and touches nothing',
    async (command) => {
      const net = createBench(CHAIN, { jobs: ['B', 'C'] });
      const a = net.steered('A');
      const running = net.start('start');
      await a.started();
      await until(() => net.statuses()['A'] === '2');
      const before = { text: net.read(), inode: statSync(net.file).ino };
      const second = net.run(command);
      expect(second.code).toBe(11);
      expect(second.err).toContain(`pid ${running.pid}`);
      expect({ text: net.read(), inode: statSync(net.file).ino }).toEqual(before);
      await a.exit(0);
      expect((await running.finished).code).toBe(0);
      expect(net.effects()).toEqual(['A', 'B', 'C']);
    },
  );
});

describe('a controller that was killed', () => {
  /** Killed while A runs; A is still waiting for the test. */
  async function killedWhileRunning(net: NetBench) {
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await until(() => journalOf(net).some((line) => line.type === 'running'));
    running.child.kill('SIGKILL');
    await running.finished;
    return a;
  }

  test('leaves its jobs alive: start and resume answer 11 and list them', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    expect(net.statusJson()).toMatchObject({
      run: { state: 'running' },
      controller: { state: 'dead' },
      counts: { running: 1, waiting: 2 },
    });
    for (const command of ['start', 'resume']) {
      const { code, err } = net.run(command);
      expect(code).toBe(11);
      expect(err).toMatch(/1 job of an earlier controller still lives[\s\S]*A #1 {2}pid \d+/);
    }
    await a.exit(0);
  });

  test('is followed by one that takes the exit code that the launcher recorded', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'ended');
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0' });
  });

  test('is followed by one that runs an abended job again under the next number', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    await a.exit(3);
    await until(() => net.statusJson().jobs[0]?.status === 'abended');
    net.script('A', NOTED);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
    expect(net.statusJson().jobs[0]?.attempt).toBe(2);
  });

  test('with its launcher killed too leaves the job running, then lost; nothing is rerun without the flag', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = await killedWhileRunning(net);
    const launcher = journalOf(net).find((line) => line.type === 'launcher-started') as unknown as {
      pid: number;
    };
    process.kill(launcher.pid, 'SIGKILL');
    await until(() => !isAlive(launcher.pid));
    expect(net.statusJson().jobs[0]?.status).toBe('running');
    expect(net.run('resume').code).toBe(11);
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'lost');
    const { code, out } = net.run('resume');
    expect(code).toBe(1);
    expect(out).toContain('--rerun-lost');
    expect(net.effects()).toEqual(['A']);
    net.script('A', NOTED);
    expect(net.run('resume', '--rerun-lost').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
  });

  test('leaves a launch that was never fed: it runs under the next number', async () => {
    const net = createBench(csvOf([['A'], ['B']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start', '-j', '1');
    await a.started();
    await until(() => journalOf(net).some((line) => line.type === 'intended' && line.job === 'B'));
    running.child.kill('SIGKILL');
    await running.finished;
    await a.exit(0);
    await until(() => net.statusJson().jobs[0]?.status === 'ended');
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B']);
    expect(net.statusJson().jobs[1]).toMatchObject({ status: 'ended', attempt: 2 });
  });

  test('does not stop the next start, which closes the run as abandoned and says what resume would have kept', async () => {
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

describe('a CSV that comes without a journal', () => {
  test('counts on resume: 0 stays, 1 and 9 run, 2 is lost and does not hold up what does not need it', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C', 'D', 'E'] });
    net.csv(
      'job,status,stime,etime,prev1\nA,0,2026/01/01 00:00:00,2026/01/01 00:00:01,\nB,1,,,A\nC,9,,,B\nD,2,,,\nE,9,,,D\n',
    );
    const { code, out } = net.run('resume');
    expect(code).toBe(1);
    expect(out).toContain('resume --rerun-lost');
    expect(net.effects()).toEqual(['B', 'C']);
    expect(net.statuses()).toEqual({ A: '0', B: '0', C: '0', D: '1', E: '9' });
    expect(net.run('resume', '--rerun-lost').code).toBe(0);
    expect(net.effects()).toEqual(['B', 'C', 'D', 'E']);
    expect(net.read()).toContain('A,0,2026/01/01 00:00:00,2026/01/01 00:00:01,');
  });
});

describe('previews', () => {
  test.each(['start', 'resume'])('%s --dry-run makes nothing', (command) => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    const { code, out } = net.run(command, '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('Nothing was started');
    expect(existsSync(path.join(net.folder, '.jobnet'))).toBe(false);
  });

  test('resume --dry-run names what would run again and what is kept', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'C'] });
    net.script('B', ending(1));
    net.run('start');
    const before = journalOf(net).length;
    const { out } = net.run('resume', '--dry-run');
    expect(out).toMatch(/Run again: 1 job that abended: B/);
    expect(out).toMatch(/Kept: 1 job/);
    expect(journalOf(net)).toHaveLength(before);
  });
});

describe('reset', () => {
  test('sets all rows back to 9 with blank times; resume then begins with the roots', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    net.run('start');
    expect(net.run('reset').code).toBe(0);
    expect(net.read()).toBe(CHAIN);
    expect(net.run('resume').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C', 'A', 'B', 'C']);
  });
});

describe('the background', () => {
  test('gives the prompt back once the run has begun', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const { code, out } = net.run('start', '--background');
    expect(code).toBe(0);
    expect(out).toMatch(/started in the background: run \d+-\d+-1, pid \d+/);
    await a.started();
    expect(net.statusJson().controller).toMatchObject({
      state: 'alive',
      pid: Number(/pid (\d+)/.exec(out)?.[1]),
    });
    await a.exit(0);
    await until(() => net.statusJson().run?.state === 'ended');
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test.each([
    ['a problem of the file', (net: NetBench) => net.csv('job,status\nA,7\n'), 3, 'status "7"'],
    ['nothing to do', (net: NetBench) => void net.run('start'), 0, 'nothing to do'],
  ])('says %s as the foreground does', (_, prepare, code, said) => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    prepare(net);
    const result = net.run('resume', '--background');
    expect(result.code).toBe(code);
    expect(result.out + result.err).toContain(said);
  });
});

describe('the state folder', () => {
  test('may be chosen', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    const state = path.join(net.folder, '../state');
    expect(net.run('start', '--state', state).code).toBe(0);
    expect(readdirSync(state)).toHaveLength(1);
    expect(existsSync(path.join(net.folder, '.jobnet/jobnet.csv/runs'))).toBe(false);
  });

  test('that cannot be written is exit 4 before anything starts', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    const { code, err } = net.run('start', '--state', path.join(net.file, 'x'));
    expect(code).toBe(4);
    expect(err).toContain('--state DIR');
    expect(net.effects()).toEqual([]);
  });

  test('of a newer format is refused', () => {
    const net = createBench(CHAIN, { jobs: ['A', 'B', 'C'] });
    net.run('start');
    const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
    const file = readdirSync(runs, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('run.json'),
    )!;
    const record = path.join(runs, file);
    const text = readFileSync(record, 'utf8').replace('"format": 1', '"format": 2');
    rmSync(record);
    spawnSync('/bin/sh', ['-c', 'cat >"$0"', record], { input: text });
    const { code, err } = net.run('resume');
    expect(code).toBe(4);
    expect(err).toContain('newer version');
  });
});
