/** The kill procedure, step by step, on a process table that the test makes up. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LauncherIdentity, Survivor } from '../../src/core/words.js';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { startKilling } from '../../src/executor/killing.js';
import type { MarkedProcess } from '../../src/host/marked.js';
import type * as Processes from '../../src/host/processes.js';
import type { ProcessEntry } from '../../src/host/processes.js';

const system = vi.hoisted(() => ({
  processes: [] as ProcessEntry[],
  marked: [] as MarkedProcess[],
  writers: [] as number[],
  /** `TERM 12`, `KILL -10` for a group. */
  signals: [] as string[],
}));

vi.mock('../../src/host/processes.js', async (importOriginal) => ({
  ...(await importOriginal<typeof Processes>()),
  listProcesses: () => system.processes,
  writersOf: () => system.writers,
  signalGroup: (group: number, signal: string) => system.signals.push(`${signal.slice(3)} -${group}`),
  signalProcess: ({ pid }: { pid: number }, signal: string) =>
    system.signals.push(`${signal.slice(3)} ${pid}`),
}));
vi.mock('../../src/host/marked.js', () => ({ findMarked: () => system.marked }));

const LAUNCHER = 10;
const JOB = 11;
const launcher: LauncherIdentity = {
  launcher: '1-1',
  pid: LAUNCHER,
  startTime: 't10',
  bootId: 'b',
  lifeline: '/l',
};

function entry(pid: number, { group = LAUNCHER, state = 'S' } = {}): ProcessEntry {
  return { pid, group, startTime: `t${pid}`, life: 'alive', name: `p${pid}`, state };
}
const mark = (pid: number, job = 'J', attempt = 1): MarkedProcess => ({ pid, job, attempt });

beforeEach(() => {
  system.processes = [entry(LAUNCHER), entry(JOB)];
  system.marked = [mark(JOB)];
  system.writers = [];
  system.signals = [];
});

/** Begins to end J.1, with TERM and a grace of a second. */
async function begin({ signal = 'TERM', graceMs = 1000, hasLauncher = true } = {}) {
  const clock = createFakeClock();
  const over: (readonly Survivor[])[] = [];
  let isAnswered = false;
  const killing = startKilling({
    launch: { job: 'J', attempt: 1 },
    order: { signal, forceAt: clock.now() + graceMs },
    marker: { run: 'r', file: 'f' },
    launcher: hasLauncher ? launcher : null,
    isAnswered: () => isAnswered,
    clock,
    onOver: (survivors) => over.push(survivors),
  });
  await Promise.resolve();
  const signals = () => system.signals.splice(0);
  const answer = () => {
    isAnswered = true;
    killing.wake();
    clock.advance(0);
  };
  return { clock, killing, over, signals, answer };
}

describe('the first signal', () => {
  test('goes to the whole group, and wakes what is stopped', async () => {
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM -10', 'CONT -10']);
  });

  test('goes to each process outside the group as well', async () => {
    system.processes.push(entry(12, { group: 12 }));
    system.marked.push(mark(12));
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM -10', 'CONT -10', 'TERM 12', 'CONT 12']);
  });

  test('goes to nobody twice', async () => {
    const { signals, clock } = await begin();
    signals();
    clock.advance(900);
    expect(signals()).toEqual([]);
  });

  test('goes to what comes later, one by one', async () => {
    const { signals, clock } = await begin();
    signals();
    system.processes.push(entry(13));
    clock.advance(200);
    expect(signals()).toEqual(['TERM 13', 'CONT 13']);
  });

  test('goes once more to what was not the job yet when the group got it', async () => {
    system.marked = [];
    const { signals, clock } = await begin();
    signals();
    system.marked = [mark(JOB)];
    clock.advance(200);
    expect(signals()).toEqual(['TERM 11', 'CONT 11']);
  });

  test('waits for the job while its launcher has not started it', async () => {
    system.processes = [entry(LAUNCHER)];
    system.marked = [];
    const { signals, clock, over } = await begin();
    clock.advance(50);
    expect([signals(), over]).toEqual([[], []]);
    system.processes.push(entry(JOB));
    system.marked = [mark(JOB)];
    clock.advance(10);
    expect(signals()).toEqual(['TERM -10', 'CONT -10']);
  });

  test('spares a group in which something of another attempt lives', async () => {
    system.processes.push(entry(14), entry(15));
    system.marked.push(mark(14, 'K'), mark(15, 'J', 7));
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM 11', 'CONT 11']);
  });

  test('spares the launcher when it would end it', async () => {
    const { signals } = await begin({ signal: 'USR1' });
    expect(signals()).toEqual(['USR1 11', 'CONT 11']);
  });

  test('spares a group that only has the number of a launcher that is gone', async () => {
    system.processes = [entry(16), entry(JOB, { group: 99 })];
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM 11', 'CONT 11']);
  });

  test('goes to the group of a launcher that is gone, if a member is known', async () => {
    system.processes = [entry(JOB), entry(16)];
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM -10', 'CONT -10']);
  });

  test('goes to those who have nothing of the job left but its lifeline', async () => {
    system.processes = [entry(LAUNCHER), entry(17, { group: 17 })];
    system.marked = [];
    system.writers = [17];
    const { signals } = await begin();
    expect(signals()).toEqual(['TERM 17', 'CONT 17']);
  });
});

describe('it is over', () => {
  test('when nothing is left and the launcher has answered', async () => {
    const { over, answer, clock } = await begin();
    system.processes = [entry(LAUNCHER)];
    system.marked = [];
    clock.advance(200);
    expect(over).toEqual([]);
    answer();
    expect(over).toEqual([[]]);
  });

  test('when nothing is left, not even the launcher', async () => {
    const { over, clock } = await begin();
    system.processes = [];
    system.marked = [];
    clock.advance(200);
    expect(over).toEqual([[]]);
  });

  test('not as long as something of it lives, whatever the launcher says', async () => {
    const { over, answer } = await begin();
    answer();
    expect(over).toEqual([]);
  });

  test('not while nobody knows which launcher has it', async () => {
    system.processes = [];
    system.marked = [];
    const { over, answer, clock } = await begin({ hasLauncher: false });
    clock.advance(500);
    expect(over).toEqual([]);
    answer();
    expect(over).toEqual([[]]);
  });
});

describe('when the grace is over', () => {
  test('everything gets KILL, the launcher too, again and again', async () => {
    system.processes.push(entry(12, { group: 12 }));
    system.marked.push(mark(12));
    const { signals, clock } = await begin();
    signals();
    clock.advance(1000);
    const once = ['KILL -10', 'KILL 11', 'KILL 12', 'KILL 10'];
    expect(signals()).toEqual(once);
    clock.advance(200);
    expect(signals()).toEqual(once);
  });

  test('that is at once with KILL as the first signal', async () => {
    const { signals } = await begin({ signal: 'KILL', graceMs: 0 });
    expect(signals()).toEqual(['KILL -10', 'KILL 11', 'KILL 10']);
  });

  test('and earlier when somebody is in a hurry', async () => {
    const { signals, clock, killing } = await begin();
    signals();
    killing.hasten({ signal: 'KILL', forceAt: clock.now() });
    expect(signals()).toEqual(['KILL -10', 'KILL 11', 'KILL 10']);
  });

  test('a group with something of another attempt is spared: KILL goes to each', async () => {
    system.processes.push(entry(14));
    system.marked.push(mark(14, 'K'));
    const { signals, clock } = await begin();
    signals();
    clock.advance(1000);
    expect(signals()).toEqual(['KILL 11', 'KILL 10']);
  });

  test('KIL-06 what outlives KILL for ten seconds is named', async () => {
    const { over, clock } = await begin();
    system.processes = [entry(JOB, { state: 'D' })];
    clock.advance(10_800);
    expect(over).toEqual([]);
    clock.advance(400);
    expect(over).toEqual([[{ pid: JOB, name: 'p11', state: 'D' }]]);
  });
});
