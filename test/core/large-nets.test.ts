/** SCA-02: what a step costs is counted, not timed: jobs and edges that are looked at, from the first event to the last. */
import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { decide, nextLaunch } from '../../src/core/decide.js';
import type { Net } from '../../src/core/net.js';
import type { RecordedEvent } from '../../src/core/replay.js';
import { createState, indexesByDefinition, type State } from '../../src/core/state.js';
import type { Input } from '../../src/core/words.js';
import { netOf } from './nets.js';

/** Predecessors of each job, for a net of about so many jobs. */
const SHAPES: Readonly<Record<string, (size: number) => number[][]>> = {
  'a join of half of all jobs': (size) => [...roots(size - 1), range(size / 2)],
  'a root before all others': (size) => [[], ...Array.from({ length: size - 1 }, () => [0])],
  'a chain': (size) => Array.from({ length: size }, (_, index) => (index === 0 ? [] : [index - 1])),
  'pairs of jobs': (size) => Array.from({ length: size }, (_, index) => (index % 2 === 0 ? [] : [index - 1])),
};

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function roots(length: number): number[][] {
  return Array.from({ length }, () => []);
}

interface Counter {
  /** Jobs and counters of jobs that were looked at. */
  jobs: number;
  edges: number;
}

/** An array that counts what is read of it. */
function counted<T extends object>(array: T, count: (items: number) => void): T {
  return new Proxy(array, {
    get(target, name) {
      if (name === 'subarray') {
        return (from: number, to: number) => {
          count(to - from);
          return (target as unknown as Int32Array).subarray(from, to);
        };
      }
      if (typeof name === 'string' && /^\d+$/.test(name)) count(1);
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

function countedState(plain: Net): { state: State; counter: Counter } {
  const counter = { jobs: 0, edges: 0 };
  const edges = (own: Net['successors']) => ({
    offsets: own.offsets,
    targets: counted(own.targets, (items) => {
      counter.edges += items;
    }),
  });
  const state = createState(plain);
  // Only now: a new state costs the whole net, once.
  state.net = { ...plain, predecessors: edges(plain.predecessors), successors: edges(plain.successors) };
  const look = (items: number) => {
    counter.jobs += items;
  };
  state.jobs = counted(state.jobs, look);
  state.unsettled = counted(state.unsettled, look);
  return { state, counter };
}

/** Ten jobs at a time; each ends well; one more is recorded ahead. */
function conduct(state: State): RecordedEvent[] {
  const records: RecordedEvent[] = [];
  const submit = (input: Input) => {
    for (const event of decide(state, input)) {
      apply(state, event, input.at);
      records.push({ event, at: input.at });
    }
  };
  submit({ type: 'begin', at: 0, mode: 'start', limit: 10, keepGoing: false });
  const chance = { recordAhead: true, retry: false };
  const verdict = { kind: 'startable', script: '', interpreter: null } as const;
  for (let at = 1; state.run.closed === null; at++) {
    for (let next = nextLaunch(state, chance); next; next = nextLaunch(state, chance)) {
      submit({ type: 'inspected', at, job: next.job, verdict, ahead: next.ahead });
    }
    const [oldest] = state.live;
    if (oldest === undefined) submit({ type: 'idle', at });
    else {
      const to = { type: 'report', at, job: state.net.names[oldest]!, attempt: 1 } as const;
      submit({ ...to, report: { kind: 'running' } });
      submit({ ...to, report: { kind: 'exited', code: 0 } });
    }
  }
  return records;
}

function replayed(net: Net, records: readonly RecordedEvent[]) {
  const own = countedState(net);
  for (const { event, at } of records) apply(own.state, event, at);
  return own;
}

describe.each(Object.entries(SHAPES))('SCA-02 a net of %s', (_, shape) => {
  const [small, large] = [1000, 2000].map((size) => {
    const net = netOf(shape(size));
    const live = countedState(net);
    const records = conduct(live.state);
    return { net, records, ...live, again: replayed(net, records) };
  });

  test('SCA-02: a run and its replay look at each edge once', () => {
    for (const { net, counter, again } of [small!, large!]) {
      const edges = net.successors.targets.length;
      expect([counter.edges, again.counter.edges]).toEqual([edges, edges]);
    }
  });

  test('SCA-02: the work of a run and of its replay grows as the net does', () => {
    for (const [one, two] of [
      [small!.counter, large!.counter],
      [small!.again.counter, large!.again.counter],
    ] as const) {
      expect(two.jobs / one.jobs).toBeCloseTo(2, 1);
    }
    // A handful of looks for each event.
    expect(large!.again.counter.jobs / large!.records.length).toBeLessThan(5);
    expect(large!.counter.jobs / large!.records.length).toBeLessThan(30);
  });

  test('SCA-02: the replay knows what the run knew, and what the definition says', () => {
    const { state, again } = large!;
    const byDefinition = indexesByDefinition(state);
    for (const own of [state, again.state]) {
      expect({ ...byDefinition, ...pick(own) }).toEqual({ ...byDefinition, closed: 'ended' });
    }
    expect([...again.state.jobs]).toEqual([...state.jobs]);
  });
});

function pick({ unsettled, intended, live, counts, run }: State) {
  return { unsettled: Int32Array.from(unsettled), intended, live, counts, closed: run.closed };
}
