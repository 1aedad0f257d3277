/** The state of one run: what every job of the net is, and the indexes that make each step cost O(changed). */
import { type Net, predecessorCounts } from './net.js';
import { createReadyQueue, type ReadyQueue } from './ready.js';
import { isLive, isSettled } from './transitions.js';
import type {
  JobName,
  JobState,
  JobStatus,
  LauncherIdentity,
  RunEnd,
  RunMode,
  Shortage,
  StopSignal,
} from './words.js';

export interface State {
  readonly net: Net;
  /** By job index. Only `apply` writes here. */
  readonly jobs: JobState[];
  /**
   * Jobs that the journal knows and the file has no longer. They keep their state: attempt numbers are fencing
   * tokens and must never start again from one.
   */
  readonly departed: Map<JobName, JobState>;
  readonly run: RunFacts;

  /** Unsettled predecessors by job index. */
  readonly unsettled: Int32Array;
  readonly ready: ReadyQueue;
  readonly intended: Set<number>;
  readonly live: Set<number>;
  readonly counts: Record<JobStatus, number>;
  /** Launchers whose start is on record, by name. */
  readonly launchers: Map<string, LauncherIdentity>;
}

/** What is known of the run as a whole. Only `apply` writes here. */
export interface RunFacts {
  mode: RunMode | null;
  limit: number;
  keepGoing: boolean;
  stopping: StopSignal | null;
  paused: Shortage | null;
  closed: RunEnd | null;
}

export const NEVER_RUN: JobState = { status: 'waiting', attempts: 0 };

/** A state in which no job has run. Costs O(net), once. */
export function createState(net: Net): State {
  const size = net.names.length;
  const state: State = {
    net,
    jobs: new Array<JobState>(size).fill(NEVER_RUN),
    departed: new Map(),
    run: { mode: null, limit: 0, keepGoing: false, stopping: null, paused: null, closed: null },
    unsettled: predecessorCounts(net),
    ready: createReadyQueue(),
    intended: new Set(),
    live: new Set(),
    counts: { waiting: size, intended: 0, launching: 0, running: 0, ended: 0, abended: 0 },
    launchers: new Map(),
  };
  for (let index = 0; index < size; index++) if (state.unsettled[index] === 0) state.ready.push(index);
  return state;
}

/** The highest attempt number of a job that was ever used. */
export function attemptsOf(job: JobState): number {
  return job.status === 'waiting' ? job.attempts : job.attempt;
}

export function isReady(state: State, index: number): boolean {
  return state.jobs[index]!.status === 'waiting' && state.unsettled[index] === 0;
}

export function jobState(state: State, job: JobName): JobState | undefined {
  const index = state.net.indexes.get(job);
  return index === undefined ? state.departed.get(job) : state.jobs[index];
}

export function isAllSettled(state: State): boolean {
  return state.counts.ended === state.net.names.length;
}

/** Attempts that may have a process: in flight when a controller dies here. */
export function attemptsInFlight(
  state: State,
): { job: JobName; attempt: number; startedAt: number | null }[] {
  const found: { job: JobName; attempt: number; startedAt: number | null }[] = [];
  const add = (job: JobName, own: JobState) => {
    if (own.status === 'intended') found.push({ job, attempt: own.attempt, startedAt: null });
    else if (own.status === 'launching' || own.status === 'running') {
      found.push({ job, attempt: own.attempt, startedAt: own.startedAt });
    }
  };
  for (const index of [...state.intended, ...state.live]) add(state.net.names[index]!, state.jobs[index]!);
  for (const [job, own] of state.departed) add(job, own);
  return found;
}

/** Recomputes what `apply` keeps up to date; tests compare the two. */
export function indexesByDefinition(state: State): Pick<State, 'unsettled' | 'intended' | 'live' | 'counts'> {
  const unsettled = new Int32Array(state.jobs.length);
  const counts: Record<JobStatus, number> = {
    waiting: 0,
    intended: 0,
    launching: 0,
    running: 0,
    ended: 0,
    abended: 0,
  };
  const intended = new Set<number>();
  const live = new Set<number>();
  state.jobs.forEach((own, index) => {
    counts[own.status]++;
    if (own.status === 'intended') intended.add(index);
    if (isLive(own.status)) live.add(index);
    const { offsets, targets } = state.net.predecessors;
    for (let at = offsets[index]!; at < offsets[index + 1]!; at++) {
      if (!isSettled(state.jobs[targets[at]!]!.status)) unsettled[index]!++;
    }
  });
  return { unsettled, intended, live, counts };
}
