/** The state of one run: what every job of the net is, and the indexes that make each step cost O(changed). */
import { hasRow, type Net, predecessorCounts } from './net.js';
import { createReadyQueue, type ReadyQueue } from './ready.js';
import { isLive, isSettled } from './transitions.js';
import type {
  ByHand,
  FileEvent,
  InPlaceReason,
  JobName,
  JobState,
  JobStatus,
  LauncherIdentity,
  Millis,
  RunEnd,
  RunMode,
  Shortage,
  StatusCode,
  StopSignal,
} from './words.js';

export interface State {
  /** `adoptNet` puts another one here, with everything that is by index. */
  net: Net;
  /** By job index. Only `apply` writes here. */
  jobs: JobState[];
  /**
   * Jobs that the journal knows and the file has no longer. They keep their state: attempt numbers are fencing
   * tokens and must never start again from one.
   */
  readonly departed: Map<JobName, JobState>;
  readonly run: RunFacts;

  /** Unsettled predecessors by job index. */
  unsettled: Int32Array;
  ready: ReadyQueue;
  intended: Set<number>;
  live: Set<number>;
  counts: Record<JobStatus, number>;
  /** Jobs that abended since the run began or was resumed: while there is one, nothing starts by itself. */
  readonly stoppers: Set<JobName>;
  /** Jobs whose row was removed in this run and has not come back: their abends hold nothing back. */
  readonly rowless: Set<JobName>;
  /** Jobs that a person asked for: they start in spite of an abend. */
  readonly asked: Set<JobName>;
  /** Edits that wait for `jobnet accept`. */
  readonly heldEdits: Map<JobName, StatusCode>;
  /** What happened to the operator's file, the last of it; for `status`. */
  readonly notices: Notice[];
  /** Launchers whose start is on record, by name. */
  readonly launchers: Map<string, LauncherIdentity>;
}

/** What happened to the file, or because of it, that a person should see. */
export interface Notice {
  readonly at: Millis;
  readonly event: FileEvent | ByHand;
}

export const NOTICES_MAX = 100;

/** What is known of the run as a whole. Only `apply` writes here. */
export interface RunFacts {
  mode: RunMode | null;
  limit: number;
  keepGoing: boolean;
  failFast: boolean;
  stopping: StopSignal | null;
  paused: Shortage | null;
  closed: RunEnd | null;
  /** What keeps the file from being taken as it is; null: it is current. */
  file: (FileEvent & { readonly type: 'version' }) | null;
  watching: (FileEvent & { readonly type: 'watching' }) | null;
  /** Why our cells do not get into the file; null: they do. */
  unwritten: string | null;
  inPlace: InPlaceReason | null;
}

export const NEVER_RUN: JobState = { status: 'waiting', attempts: 0 };

/** A state in which no job has run. Costs O(net), once. */
export function createState(net: Net): State {
  const size = net.names.length;
  const state: State = {
    net,
    jobs: new Array<JobState>(size).fill(NEVER_RUN),
    departed: new Map(),
    run: {
      mode: null,
      limit: 0,
      keepGoing: false,
      failFast: false,
      stopping: null,
      paused: null,
      closed: null,
      file: null,
      watching: null,
      unwritten: null,
      inPlace: null,
    },
    unsettled: predecessorCounts(net),
    ready: createReadyQueue(),
    intended: new Set(),
    live: new Set(),
    counts: noCounts(),
    stoppers: new Set(),
    rowless: new Set(),
    asked: new Set(),
    heldEdits: new Map(),
    notices: [],
    launchers: new Map(),
  };
  state.counts.waiting = size;
  for (let index = 0; index < size; index++) if (state.unsettled[index] === 0) state.ready.push(index);
  return state;
}

export function noCounts(): Record<JobStatus, number> {
  return {
    waiting: 0,
    intended: 0,
    launching: 0,
    running: 0,
    ended: 0,
    abended: 0,
    skipped: 0,
    outside: 0,
  };
}

/** The highest attempt number of a job that was ever used. */
export function attemptsOf(job: JobState): number {
  return 'attempts' in job ? job.attempts : job.attempt;
}

/** Another version of its script was in place when its last attempt ended. */
export function hasScriptChanged(own: JobState): boolean {
  return (own.status === 'ended' || own.status === 'abended') && own.hasScriptChanged === true;
}

export function isReady(state: State, index: number): boolean {
  return state.jobs[index]!.status === 'waiting' && state.unsettled[index] === 0;
}

export function jobState(state: State, job: JobName): JobState | undefined {
  const index = state.net.indexes.get(job);
  return index === undefined ? state.departed.get(job) : state.jobs[index];
}

/** After an abend nothing starts by itself, as in the seed and in make; with keepGoing what does not depend on it. */
export function isHeldBack({ run, net, stoppers, rowless }: State): boolean {
  if (run.keepGoing) return false;
  for (const job of stoppers) {
    // A row that came back shortly before a crash may be in the file and not in the journal.
    const index = net.indexes.get(job);
    if (!rowless.has(job) || (index !== undefined && hasRow(net, index))) return true;
  }
  return false;
}

export function isAllSettled(state: State): boolean {
  return state.counts.ended + state.counts.skipped === state.net.names.length;
}

/**
 * Attempts that may have a process: in flight when a controller dies here. An intent that has begun took the slot of
 * one that is over, so the live ones come first.
 */
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
  for (const index of [...state.live, ...state.intended]) add(state.net.names[index]!, state.jobs[index]!);
  for (const [job, own] of state.departed) add(job, own);
  return found;
}

/** Recomputes what `apply` keeps up to date; tests compare the two. */
export function indexesByDefinition(state: State): Pick<State, 'unsettled' | 'intended' | 'live' | 'counts'> {
  const unsettled = new Int32Array(state.jobs.length);
  const counts = noCounts();
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
