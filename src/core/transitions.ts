/** The whole life of a job in one table: what each event makes of each status. */
import type { JobEvent, JobStatus } from './words.js';

export type JobEventType = JobEvent['type'];

/**
 * `null` marks what cannot happen: `apply` throws on it. `ended` and `abended` lead nowhere but to a rerun;
 * an intended attempt may be found ended after a crash, because it is fed before its `launching` is on disk;
 * a running one turns out not started when its launcher could not fork after all.
 */
export const TRANSITIONS = {
  waiting: {
    intended: 'intended',
    launching: 'launching',
    running: null,
    ended: null,
    abended: 'abended',
    'not-started': null,
    kept: 'ended',
    rerun: null,
  },
  intended: {
    intended: null,
    launching: 'launching',
    running: null,
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
    kept: null,
    rerun: null,
  },
  launching: {
    intended: null,
    launching: null,
    running: 'running',
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
    kept: null,
    rerun: null,
  },
  running: {
    intended: null,
    launching: null,
    running: null,
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
    kept: null,
    rerun: null,
  },
  ended: {
    intended: null,
    launching: null,
    running: null,
    ended: null,
    abended: null,
    'not-started': null,
    kept: null,
    rerun: null,
  },
  abended: {
    intended: null,
    launching: null,
    running: null,
    ended: null,
    abended: null,
    'not-started': null,
    kept: null,
    rerun: 'waiting',
  },
} as const satisfies Record<JobStatus, Record<JobEventType, JobStatus | null>>;

/** The status after an event, or null when the event cannot happen to a job of this status. */
export function nextStatus(status: JobStatus, event: JobEventType): JobStatus | null {
  return TRANSITIONS[status][event];
}

/** Jobs whose successors may go. */
export function isSettled(status: JobStatus): boolean {
  return status === 'ended';
}

/** Attempts that hold a slot: recorded for launch, or confirmed. */
export function isLive(status: JobStatus): boolean {
  return status === 'launching' || status === 'running';
}
