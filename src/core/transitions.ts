/** The whole life of a job in one table: what each event makes of each status. */
import type { JobEvent, JobStatus } from './words.js';

export type JobEventType = JobEvent['type'];

/**
 * What is not named cannot happen: `apply` throws on it. `ended` leads nowhere by itself, only a person's edit; an
 * intended attempt may be found running or ended after a crash, as it is fed before its `launching` is on disk; a running
 * one turns out not started when its launcher could not fork after all.
 */
export const TRANSITIONS = {
  waiting: row({
    intended: 'intended',
    launching: 'launching',
    abended: 'abended',
    kept: 'ended',
    skipped: 'skipped',
    outside: 'outside',
  }),
  intended: row({
    launching: 'launching',
    running: 'running',
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
  }),
  launching: row({
    running: 'running',
    'kill-requested': 'launching',
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
  }),
  running: row({
    'kill-requested': 'running',
    ended: 'ended',
    abended: 'abended',
    'not-started': 'waiting',
  }),
  ended: row({ rerun: 'waiting', abended: 'abended' }),
  abended: row({ rerun: 'waiting', settled: 'ended' }),
  skipped: row({ rerun: 'waiting', abended: 'abended' }),
  outside: row({ rerun: 'waiting', settled: 'ended', abended: 'abended' }),
} as const satisfies Record<JobStatus, TransitionRow>;

export type TransitionRow = Readonly<Record<JobEventType, JobStatus | null>>;

/** Every event has a column: a new one is `null` everywhere until somebody says what it does. */
function row(possible: Partial<Record<JobEventType, JobStatus>>): TransitionRow {
  return {
    intended: null,
    launching: null,
    running: null,
    'kill-requested': null,
    ended: null,
    abended: null,
    'not-started': null,
    kept: null,
    rerun: null,
    skipped: null,
    settled: null,
    outside: null,
    ...possible,
  };
}

/** The status after an event, or null when the event cannot happen to a job of this status. */
export function nextStatus(status: JobStatus, event: JobEventType): JobStatus | null {
  return TRANSITIONS[status][event];
}

/** Jobs whose successors may go. */
export function isSettled(status: JobStatus): boolean {
  return status === 'ended' || status === 'skipped';
}

/** Attempts that hold a slot: recorded for launch, or confirmed. */
export function isLive(status: JobStatus): boolean {
  return status === 'launching' || status === 'running';
}
