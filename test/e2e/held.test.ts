/** Controllers that nobody may follow: on another host, or too busy to answer. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { elsewhere } from './elsewhere.js';
import { journalOf } from './journal.js';
import { killController, killJobs, killLaunchers } from './killed.js';
import { createBench, csvOf, type NetBench, NOTED, statusesIn, until } from './workbench.js';

const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B']]);
const YEAR_MS = 365 * 24 * 3600 * 1000;

// Linux only: the other host has a boot of its own.
describe.runIf(process.platform === 'linux')('LOC-11 a net whose controller is on another host', () => {
  const THERE = elsewhere({ host: 'night1', boot: 'boot-of-night1' });

  /** The controller of the other host, and its only job. */
  async function runningThere() {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const controller = net.startWith({ env: THERE }, 'start');
    await a.started();
    await until(() => journalOf(net).some(({ type }) => type === 'running'));
    // The CSV is written, and what was written is kept.
    const kept = path.join(net.folder, '.jobnet/jobnet.csv/last-good.csv');
    await until(() => existsSync(kept) && statusesIn(readFileSync(kept, 'utf8'))['A'] === '2');
    return { net, a, controller };
  }

  function isLeftAlone(net: NetBench, pid: number, commands: readonly string[][]): void {
    const before = net.read();
    expect(net.statusJson()).toMatchObject({
      run: { state: 'running' },
      controller: { state: 'unknown', host: 'night1', pid },
      jobs: [{ job: 'A', csv: '2', status: 'running' }, { status: 'waiting' }, { status: 'waiting' }],
    });
    for (const args of commands) {
      const { code, err } = net.run(...args);
      expect([args, code, err]).toEqual([args, 11, expect.stringContaining(`(pid ${pid} on night1, since `)]);
      expect(err).toContain('it cannot be seen from here, so nothing is started');
    }
    expect([net.read(), net.effects()]).toEqual([before, ['A']]);
  }

  const COMMANDS = [
    ['start'],
    ['resume'],
    ['resume', '--rerun-lost'],
    ['resume', '--dry-run'],
    ['resume', '--background'],
    ['reset'],
  ];

  test('LOC-11: while it lives: its jobs are not judged, nothing is started', async () => {
    const { net, a, controller } = await runningThere();
    isLeftAlone(net, controller.pid, COMMANDS);
    expect(net.run('resume', '--lang', 'ja').err).toContain(
      'ここからは生死を確認できないため、何も起動しません',
    );
    await a.exit(0);
    expect((await controller.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test('LOC-11: when it has died: a person says so; its job is then lost, and not run again unasked', async () => {
    const { net, controller } = await runningThere();
    await killController(controller);
    await killLaunchers(net);
    await killJobs(net);
    isLeftAlone(net, controller.pid, [['resume', '--rerun-lost'], ['start']]);

    const claims = '.jobnet/jobnet.csv/claims';
    expect(net.run('lock', 'break', 'controller', '--dir', claims, '--reason', 'night1 is off').code).toBe(0);
    const { code, out } = net.run('resume');
    expect([code, out]).toEqual([1, expect.stringContaining('A #1  lost: ')]);
    expect(net.statuses()).toEqual({ A: '1', B: '9', C: '9' });
    expect(net.effects()).toEqual(['A']);
    net.script('A', NOTED);
    expect(net.run('resume', '--rerun-lost').code).toBe(0);
    expect(net.effects()).toEqual(['A', 'A', 'B', 'C']);
  });

  test.each([
    ['start', 11],
    ['reset', 11],
    ['resume', 3],
  ])('LOC-11: a %s there that begins nothing does not give its jobs away', async (command, code) => {
    const { net, a, controller } = await runningThere();
    await killController(controller);
    const text = net.read();
    // The resume has taken the claim when it finds that most rows are gone.
    if (command === 'resume') net.csv(text.split('\n').slice(0, 2).join('\n'));
    const tried = net.startWith({ env: THERE }, command);
    expect((await tried.finished).code).toBe(code);
    net.csv(text);
    isLeftAlone(net, tried.pid, [['resume', '--rerun-lost'], ['start']]);
    const resumed = net.startWith({ env: THERE }, 'resume');
    await resumed.said('A #1  still runs');
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });
});

describe('LOC-09 a controller that seems to have been silent for long', () => {
  test('LOC-09: keeps its net a year later, by the clock of the one who asks', async () => {
    const net = createBench(CHAIN, { jobs: ['B', 'C'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    const env = elsewhere({ shiftMs: YEAR_MS });
    for (const command of ['start', 'resume', 'reset']) {
      const { code, err } = await net.startWith({ env }, command).finished;
      expect([code, err]).toEqual([11, expect.stringContaining(`pid ${running.pid}`)]);
    }
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
  });

  test('LOC-09: keeps its net while it reads 20,000 new rows', async () => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await until(() => net.statuses()['A'] === '2');
    const rows = Array.from({ length: 20_000 }, (_, index) => `N${index},9,,,B,`);
    net.csv(`${net.read()}${rows.join('\n')}\n`);
    const codes = new Set<number | null>();
    await until(() => {
      codes.add(net.run('reset').code);
      return net.statusJson().counts['waiting'] === 20_001;
    });
    expect([...codes]).toEqual([11]);
    // The new jobs have no scripts: the first of them abends, and nothing else starts.
    await a.exit(0);
    expect((await running.finished).code).toBe(1);
    expect(net.effects()).toEqual(['A', 'B']);
  });
});
