/** What an operator's version of the file means: the whole table, and when a person must confirm it. */
import { changedNames } from './changed-names.js';
import { edgesOf } from './net.js';
import { attemptsOf, jobState, type State } from './state.js';
import { isLive } from './transitions.js';
import type { Edits, Event, HoldReason, JobName, JobState, JobStatus, RowEdit, StatusCode } from './words.js';

/** A version that is good as CSV and as a net, taken or held. */
export function versionEvents(state: State, edits: Edits, isAccepted: boolean): Event[] {
  const why = isAccepted ? null : reasonToHold(edits);
  if (why) return [{ type: 'version', outcome: 'held', why }];
  const { added, removed, redefined } = edits;
  const taken: Event = {
    type: 'version',
    outcome: 'taken',
    added,
    removed,
    redefined: redefined.length,
  };
  const isOnly = edits.rows.length === 1;
  const rows = edits.rows.flatMap((edit) => rowEvents(state, edit, isOnly));
  const isNews = added.length + removed.length + redefined.length > 0 || state.run.file !== null;
  return isNews ? [...removed.flatMap((job) => withdrawal(state, job)), taken, ...rows] : rows;
}

/** A launch that was recorded ahead for a row that is gone: nobody starts it any more. */
function withdrawal(state: State, job: JobName): Event[] {
  const own = jobState(state, job);
  if (own?.status !== 'intended') return [];
  return [{ type: 'not-started', job, attempt: own.attempt, cause: 'its row was removed' }];
}

/** More than half of the rows gone, or names changed as a spreadsheet changes them: a person must look first. */
export function reasonToHold({ added, removed, known, isCutOff }: Edits): HoldReason | null {
  if (isCutOff) return { kind: 'cut-off' };
  const pairs = changedNames(removed, added);
  if (pairs.length > 0) return { kind: 'names-changed', pairs };
  return removed.length * 2 > known ? { kind: 'rows-gone', gone: removed.length, known } : null;
}

function rowEvents(state: State, edit: RowEdit, isOnly: boolean): Event[] {
  const own = jobState(state, edit.job);
  if (!own) return [];
  if (SHOWN_AS[own.status] === edit.to) {
    // When a job that runs was started is not for the file to say.
    return isLive(own.status) && edit.times === 'other' ? [notObeyed(edit, 'refused')] : [];
  }
  if (!hasSeen(own, edit, isOnly)) return [notObeyed(edit, 'stale')];
  return meaningOf(own, edit, () => isBlocked(state, edit.job));
}

const SHOWN_AS = {
  waiting: '9',
  intended: '9',
  launching: '2',
  running: '2',
  outside: '2',
  abended: '1',
  ended: '0',
  skipped: '0',
} as const satisfies Record<JobStatus, StatusCode>;

/** Whether the row proves, by its status and its times, that its writer saw the state that it changes. */
function hasSeen(own: JobState, { from, to, times }: RowEdit, isOnly: boolean): boolean {
  // Nobody could see how a lost one ended: a row that still says 2 is the last that was known of it.
  const isLost = own.status === 'abended' && own.reason.kind === 'lost' && from === '2';
  // The file may be behind the state, as writes are gathered.
  if (from !== SHOWN_AS[own.status] && !isLost) return false;
  switch (times) {
    case 'kept':
      return true;
    case 'cleared':
      return isOnly && to === '9';
    case 'started':
      return own.status === 'waiting' || own.status === 'intended';
    case 'finished':
      // Of a job that runs here it would be its own report; that is for the executor to know.
      return isLost || own.status === 'outside' || isLive(own.status);
    case 'other':
      return false;
  }
}

function notObeyed({ job, from, to }: RowEdit, outcome: 'refused' | 'stale' | 'held'): Event {
  return { type: 'edit', job, from, to, outcome };
}

/** One cell of the table in docs/csv-format.md: what is known of the job, and to what its status was edited. */
function meaningOf(own: JobState, edit: RowEdit, isBlocked: () => boolean): Event[] {
  const { job, to } = edit;
  const by = 'csv' as const;
  const refused = [notObeyed(edit, 'refused')];
  const markedAbended: Event = {
    type: 'abended',
    job,
    attempt: attemptsOf(own),
    reason: { kind: 'by-hand' },
  };
  switch (own.status) {
    case 'waiting':
      if (to === '0') return [{ type: 'skipped', job, by }];
      if (to === '1') return [markedAbended];
      return isBlocked() ? refused : [{ type: 'outside', job, by }];
    case 'intended': {
      const { attempt } = own;
      const asWaiting = meaningOf({ status: 'waiting', attempts: attempt }, edit, isBlocked);
      if (asWaiting[0]?.type === 'edit') return asWaiting;
      // Nobody starts it any more: its number is used up.
      return [{ type: 'not-started', job, attempt, cause: 'edited by a person' }, ...asWaiting];
    }
    case 'outside':
      if (to === '0') return [{ type: 'settled', job, by }];
      return to === '1' ? [markedAbended] : [{ type: 'rerun', job, by }];
    case 'launching':
    case 'running':
      return refused;
    case 'abended':
      if (to === '0') return [{ type: 'settled', job, by }];
      return to === '9' ? [{ type: 'rerun', job, by }] : refused;
    case 'ended':
    case 'skipped':
      if (to === '1') return [markedAbended];
      if (to === '2') return refused;
      return edit.times === 'cleared' ? [notObeyed(edit, 'held')] : [{ type: 'rerun', job, by }];
  }
}

/** Whether an abended job stands before it, however far. Costs O(what is before it). */
function isBlocked({ net, jobs }: State, job: JobName): boolean {
  const index = net.indexes.get(job);
  const found = new Set<number>(index === undefined ? [] : [index]);
  for (const waiting of found) {
    for (const predecessor of edgesOf(net.predecessors, waiting)) {
      const { status } = jobs[predecessor]!;
      if (status === 'abended') return true;
      if (SHOWN_AS[status] === '9') found.add(predecessor);
    }
  }
  return false;
}

/** What `jobnet accept` takes of the single edits that wait for it. */
export function acceptEvents(state: State): Event[] {
  return Array.from(state.heldEdits.keys(), (job): Event => ({ type: 'rerun', job, by: 'accept' }));
}
