/** Projections of the state: the three cells of a row, the word for a status, what blocks a job. */
import { nextLaunch } from './decide.js';
import { edgesOf, topologicalOrder } from './net.js';
import { isAllSettled, type State } from './state.js';
import type { JobName, JobState, Millis, RunState, StatusCode } from './words.js';

/** The three cells of a row that are ours. `undefined`: the cell stays as it is. */
export interface Cells {
  readonly status: StatusCode;
  readonly startedAt: Millis | null | undefined;
  readonly endedAt: Millis | null | undefined;
}

export function cellsOf(own: JobState): Cells {
  switch (own.status) {
    case 'waiting':
    case 'intended':
      return { status: '9', startedAt: null, endedAt: null };
    case 'skipped':
      return { status: '0', startedAt: null, endedAt: null };
    case 'outside':
      return { status: '2', startedAt: undefined, endedAt: undefined };
    case 'launching':
    case 'running':
      return { status: '2', startedAt: own.startedAt, endedAt: null };
    case 'ended':
      return { status: '0', ...timesOf(own) };
    case 'abended': {
      const times = timesOf(own);
      return { status: '1', ...times, endedAt: own.reason.kind === 'lost' ? null : times.endedAt };
    }
  }
}

/** Where no attempt of this run is behind a status, the times in the file are all that is known. */
function timesOf({ startedAt, endedAt }: JobState & { status: 'ended' | 'abended' }) {
  const isUnknown = startedAt === null && endedAt === null;
  return isUnknown ? { startedAt: undefined, endedAt: undefined } : { startedAt, endedAt };
}

/** The word shown for a job: `intended` is an inner matter of the journal, `blocked` is derived. */
export type StatusWord =
  | 'waiting'
  | 'launching'
  | 'running'
  | 'ended'
  | 'abended'
  | 'killed'
  | 'lost'
  | 'blocked'
  | 'skipped'
  | 'outside';

export function statusWord(own: JobState, isBlocked: boolean): StatusWord {
  switch (own.status) {
    case 'waiting':
    case 'intended':
      return isBlocked ? 'blocked' : 'waiting';
    case 'abended':
      return own.reason.kind === 'lost' || own.reason.kind === 'killed' ? own.reason.kind : 'abended';
    default:
      return own.status;
  }
}

/** Blockers named for one job at most; the first in file order. */
export const BLOCKERS_MAX = 10;

/**
 * For each job that waits behind an abended one, the abended jobs to mend. One pass over the net: for status,
 * not for every event.
 */
export function blockersOf(state: State): Map<number, JobName[]> {
  const blockers = new Map<number, Set<number>>();
  if (state.counts.abended === 0) return new Map();
  for (const index of topologicalOrder(state.net).order) {
    const status = state.jobs[index]!.status;
    if (status !== 'waiting' && status !== 'intended') continue;
    const own = new Set<number>();
    for (const predecessor of edgesOf(state.net.predecessors, index)) {
      if (state.jobs[predecessor]!.status === 'abended') own.add(predecessor);
      for (const blocker of blockers.get(predecessor) ?? []) {
        if (own.size < BLOCKERS_MAX) own.add(blocker);
      }
    }
    if (own.size > 0) blockers.set(index, own);
  }
  return new Map(
    Array.from(blockers, ([index, own]) => {
      const sorted = [...own].sort((a, b) => a - b).slice(0, BLOCKERS_MAX);
      return [index, sorted.map((blocker) => state.net.names[blocker]!)];
    }),
  );
}

/** Computed from the jobs every time, never stored: a job mended by hand moves the run on. */
export function runState(state: State): RunState {
  if (state.run.closed) return state.run.closed;
  if (isAllSettled(state)) return 'ended';
  if (state.run.stopping) return state.live.size > 0 ? 'stopping' : 'stopped';
  if (state.live.size > 0) return 'running';
  if (!nextLaunch(state, { recordAhead: false, retry: true })) return 'abended';
  return state.run.paused ? 'waiting' : 'running';
}
