/** What one version of the file changes against another, row by row and by name. */

import { isEarlier, isSameMoment, isSameTime } from './cell-times.js';
import { trimCell } from './names.js';
import { namesOf } from './net.js';
import type { Sheet } from './sheet.js';
import type { Edits, JobName, RowEdit, StatusCode } from './words.js';

/** The three cells of a row as texts. */
export interface RowTexts {
  readonly status: StatusCode;
  readonly stime: string;
  readonly etime: string;
}

/** The cells of a job's row; null when it has none. A blank status is 9; columns that are missing are blank. */
export function rowTexts({ net, table, columns }: Sheet, job: JobName): RowTexts | null {
  const index = net.indexes.get(job);
  if (index === undefined) return null;
  const cells = table.records[net.rows[index]! - 1]!;
  const at = (column: number) => (column < 0 ? '' : trimCell(cells[column] ?? ''));
  return {
    status: (at(columns.status) || '9') as StatusCode,
    stime: at(columns.stime),
    etime: at(columns.etime),
  };
}

/** What is known of a run beside its file. */
export interface Around {
  /**
   * What a row is to say by the state of the run: a row that says just this is no edit. Times that are not ours to
   * say are those of `row`.
   */
  now(job: JobName, row: RowTexts): RowTexts | null;
  /** Rows that the job had in this run before the known one. Absent: nobody has kept them. */
  earlier?(job: JobName): readonly RowTexts[];
  /** When the run began, as a time in the file. */
  readonly began: string;
}

/** The edits that lead from a known version to the next. */
export function editsBetween(known: Sheet, next: Sheet, around: Around): Edits {
  const added: JobName[] = [];
  const redefined: JobName[] = [];
  const rows: RowEdit[] = [];
  for (const job of next.net.names) {
    const before = rowTexts(known, job);
    if (!before) added.push(job);
    else if (!hasSameDefinition(known, next, job)) redefined.push(job);
    const edit = rowEdit(job, before, rowTexts(next, job)!, around);
    if (edit) rows.push(edit);
  }
  const removed = known.net.names.filter((job) => !next.net.indexes.has(job));
  const isCutOff = endsOpen(next) && hasLostItsEnd(known, next, removed.length > 0);
  return { rows, added, removed, redefined, known: known.net.names.length, isCutOff };
}

/** Whether it may be a version that somebody is still writing: nothing says that its last row is whole. */
export function endsOpen({ table }: Sheet): boolean {
  return !/[\r\n]$/.test(table.text);
}

/** A file that never has a line end behind its last row can only be told by what is missing from its end. */
function hasLostItsEnd(known: Sheet, next: Sheet, hasLostRows: boolean): boolean {
  const isWhole = hasWholeEnd(known, next);
  if (endsOpen(known)) return !isWhole && known.table.text.startsWith(next.table.text);
  return !isWhole || hasLostRows;
}

/** Whether the last row is as long as it was, and says the same; a new one must be as long as others. */
function hasWholeEnd(known: Sheet, next: Sheet): boolean {
  const record = next.table.records.length - 1;
  const job = next.net.names.at(-1)!;
  if (next.net.rows.at(-1) !== record + 1) return true;
  const length = next.table.records[record]!.length;
  const index = known.net.indexes.get(job);
  if (index === undefined) {
    return length >= Math.min(known.table.records[0]!.length, known.table.records.at(-1)!.length);
  }
  return (
    length >= known.table.records[known.net.rows[index]! - 1]!.length && hasSameDefinition(known, next, job)
  );
}

function hasSameDefinition(known: Sheet, next: Sheet, job: JobName): boolean {
  const before = namesOf(known.net, known.net.predecessors, known.net.indexes.get(job)!);
  const after = namesOf(next.net, next.net.predecessors, next.net.indexes.get(job)!);
  const isSame = before.length === after.length && after.every((name) => before.includes(name));
  return isSame && known.net.commands.get(job) === next.net.commands.get(job);
}

/**
 * Null when the status is the same, or what the run says anyway: a time that only looks different is no change.
 * @param before null: the row is new, or back; then what the run knows of the job is what it changes
 */
function rowEdit(job: JobName, before: RowTexts | null, after: RowTexts, around: Around): RowEdit | null {
  if (before?.status === after.status && after.status !== '2') return null;
  const now = around.now(job, after);
  const from = before ?? now;
  if (!from) return null;
  const edit = { job, from: from.status, to: after.status, times: timesOf(job, from, after, around) };
  if (from.status === after.status) {
    // A job that runs has started when it has started.
    const isMoved = now?.status === '2' && !isSameTimes(from, after) && !isSameTimes(now, after);
    return isMoved ? { ...edit, times: 'other' } : null;
  }
  return now?.status === after.status ? null : edit;
}

function timesOf(
  job: JobName,
  before: RowTexts,
  after: RowTexts,
  { earlier, began }: Around,
): RowEdit['times'] {
  const past = earlier?.(job) ?? [];
  // A row as it was before, although its times are those of now: it was saved from then.
  const isBack = past.some((row) => isSameRow(after, row));
  if (!isBack && isSameTimes(before, after)) return 'kept';
  if (after.stime === '' && after.etime === '') return 'cleared';
  // Times of a run before this one, or of an attempt before the last, stand in a copy from then.
  const isOld = isEarlier(after.stime, began) || past.some((row) => isEarlier(after.stime, row.stime));
  if (isBack || isOld || before.etime !== '') return 'other';
  if (before.stime === '') return 'started';
  return isSameTime(before.stime, after.stime) ? 'finished' : 'other';
}

function isSameTimes(one: RowTexts, other: RowTexts): boolean {
  return isSameTime(one.stime, other.stime) && isSameTime(one.etime, other.etime);
}

/** Whether a row says what another one says, as far as spreadsheets leave it. */
export function isSameRow(row: RowTexts, exact: RowTexts): boolean {
  return (
    row.status === exact.status &&
    isSameMoment(row.stime, exact.stime) &&
    isSameMoment(row.etime, exact.etime)
  );
}
