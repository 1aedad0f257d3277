/** Another net under a running state: rows were added, removed, renamed or given other predecessors. */
import { type Edges, edgesOf, type Net } from './net.js';
import { createReadyQueue } from './ready.js';
import { NEVER_RUN, noCounts, type State } from './state.js';
import { isLive, isSettled } from './transitions.js';
import type { JobName } from './words.js';

/**
 * Puts `net` in the place of the net of `state`. Jobs keep their states by name; those without a row any more
 * depart, and come back with their attempt numbers if the row does. A live job whose row is gone stays in the net,
 * alone, until it is over. Costs O(net).
 */
export function adoptNet(state: State, net: Net): void {
  const stays = [
    ...Array.from(state.live, (index) => state.net.names[index]!),
    ...Array.from(state.departed).flatMap(([job, { status }]) => (isLive(status) ? [job] : [])),
  ].filter((job) => !net.indexes.has(job));
  const whole = withLonely(net, stays);
  const jobs = whole.names.map((job) => {
    const index = state.net.indexes.get(job);
    return (index === undefined ? state.departed.get(job) : state.jobs[index]) ?? NEVER_RUN;
  });
  state.net.names.forEach((job, index) => {
    const own = state.jobs[index]!;
    if (!whole.indexes.has(job) && own !== NEVER_RUN) state.departed.set(job, own);
  });
  for (const job of whole.names) state.departed.delete(job);
  state.net = whole;
  state.jobs = jobs;
  reindex(state);
}

function withLonely(net: Net, jobs: readonly JobName[]): Net {
  if (jobs.length === 0) return net;
  const names = [...net.names, ...jobs];
  const rows = new Int32Array(names.length);
  rows.set(net.rows);
  return {
    names,
    indexes: new Map(names.map((name, index) => [name, index])),
    rows,
    commands: net.commands,
    rerunsLost: net.rerunsLost,
    timeouts: net.timeouts,
    predecessors: withEmptyLists(net.predecessors, jobs.length),
    successors: withEmptyLists(net.successors, jobs.length),
  };
}

function withEmptyLists({ offsets, targets }: Edges, count: number): Edges {
  const longer = new Int32Array(offsets.length + count).fill(targets.length);
  longer.set(offsets);
  return { offsets: longer, targets };
}

function reindex(state: State): void {
  const { net, jobs } = state;
  state.unsettled = new Int32Array(jobs.length);
  state.ready = createReadyQueue();
  state.intended = new Set();
  state.live = new Set();
  state.counts = noCounts();
  jobs.forEach((own, index) => {
    state.counts[own.status]++;
    if (own.status === 'intended') state.intended.add(index);
    if (isLive(own.status)) state.live.add(index);
    for (const predecessor of edgesOf(net.predecessors, index)) {
      if (!isSettled(jobs[predecessor]!.status)) state.unsettled[index]!++;
    }
    if (own.status === 'waiting' && state.unsettled[index] === 0) state.ready.push(index);
  });
}
