/** What the rows are to say, and which of them may not say it yet. */
import { type Cells, cellsOf } from '../core/project.js';
import { NEVER_RUN } from '../core/state.js';
import { isSameRow, type RowTexts } from '../core/versions.js';
import type { Edits, JobName } from '../core/words.js';
import { type ChangedRow, isSameText, textsOf } from './merge.js';

export interface Pending {
  isEmpty(): boolean;
  show(job: JobName, cells: Cells): void;
  /**
   * The rows that another version has changed: what it may not change is put back.
   * @param isBack whether a job had just this row before
   */
  compare(rows: Iterable<ChangedRow>, edits: Edits, isBack: (job: JobName, row: RowTexts) => boolean): void;
  /** What is to be written now. */
  batch(): ReadonlyMap<JobName, Cells>;
  settle(batch: ReadonlyMap<JobName, Cells>): void;
}

export function createPending(): Pending {
  /** By job, also of jobs without a row: a later version may have the row again. */
  const shown = new Map<JobName, Cells>();
  const dirty = new Map<JobName, Cells>();

  function show(job: JobName, cells: Cells): void {
    shown.set(job, cells);
    dirty.set(job, cells);
  }

  function compare(
    rows: Iterable<ChangedRow>,
    edits: Edits,
    isBack: (job: JobName, row: RowTexts) => boolean,
  ): void {
    const added = new Set(edits.added);
    for (const { job, after } of rows) {
      const cells = shown.get(job) ?? (added.has(job) ? cellsOf(NEVER_RUN) : null);
      if (!cells) continue;
      const own = textsOf(cells, after);
      // Full minutes are what a spreadsheet makes of times, unless they are those of an attempt before.
      const isOld = isBack(job, after) && !isSameText(after, own);
      if (isOld || !isSameRow(after, own)) dirty.set(job, cells);
    }
    // What an edit comes to is shown when it is on record. Until then the row stays as its writer left it.
    for (const { job } of edits.rows) dirty.delete(job);
  }

  function settle(batch: ReadonlyMap<JobName, Cells>): void {
    for (const [job, cells] of batch) if (dirty.get(job) === cells) dirty.delete(job);
  }

  return { isEmpty: () => dirty.size === 0, show, compare, batch: () => new Map(dirty), settle };
}
