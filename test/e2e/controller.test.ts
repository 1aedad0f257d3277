/** The life of a controller: signals, a second one, the background, previews. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalOf } from './journal.js';
import { createBench, csvOf, ending, type NetBench, until } from './workbench.js';

const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B']]);

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

  test('a second Ctrl-C ends the jobs, if it is not the same press of a key', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    running.child.kill('SIGINT');
    await running.said('nothing new is started');
    running.child.kill('SIGINT');
    // Nothing happens within the second: only then a status can be asked for and still find it running.
    expect(net.statusJson().counts).toMatchObject({ running: 1 });
    await until(() => {
      if (!running.out().includes('is being ended')) running.child.kill('SIGINT');
      return running.out().includes('is being ended');
    });
    const { code, out } = await running.finished;
    expect([code, net.statuses()['A']]).toEqual([130, '1']);
    expect(out).toContain('A  killed: by a second Ctrl-C');
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

  test('HUP does not stop it', async () => {
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
  test.each([['start'], ['resume'], ['reset'], ['start', '--background'], ['resume', '--background']])(
    'LOC-05: a second %s %s is refused with 11, says who and since when, and touches nothing',
    async (...command) => {
      const net = createBench(CHAIN, { jobs: ['B', 'C'] });
      const a = net.steered('A');
      const running = net.start('start');
      await a.started();
      await until(() => net.statuses()['A'] === '2');
      const before = { text: net.read(), inode: statSync(net.file).ino };
      const second = net.run(...command);
      expect(second.code).toBe(11);
      const since = /since (\d\d:\d\d:\d\d)/.exec(net.run('status').out)![1];
      expect(second.err).toContain(`(pid ${running.pid} on ${hostname()}, since ${since})`);
      expect(net.run(...command, '--lang', 'ja').err).toContain(
        `（${hostname()} の pid ${running.pid}、${since} から）`,
      );
      expect({ text: net.read(), inode: statSync(net.file).ino }).toEqual(before);
      await a.exit(0);
      expect((await running.finished).code).toBe(0);
      expect(net.effects()).toEqual(['A', 'B', 'C']);
    },
  );
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
