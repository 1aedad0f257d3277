/** What the file said last, what it is to say, and what its rows said before. */
import type { Table } from '../core/csv.js';
import type { Cells } from '../core/project.js';
import type { Sheet } from '../core/sheet.js';
import { type RowTexts, rowTexts } from '../core/versions.js';
import type { Edits, JobName } from '../core/words.js';
import { createHistory } from './history.js';
import { createLastGood } from './last-good.js';
import { changedRows, isSameText, mergeCells } from './merge.js';
import { createPending } from './pending.js';

/** What the next write puts into the file. */
export interface Draft {
  readonly batch: ReadonlyMap<JobName, Cells>;
  readonly table: Table;
}

export interface Ledger {
  /** What the file said when it was read, written or taken last. */
  filed(): Sheet;
  /** The same with edits that had gone astray: they are in the next draft. */
  known(): Sheet;
  earlier(job: JobName): readonly RowTexts[];
  hasWork(): boolean;
  show(job: JobName, cells: Cells): void;
  /** A version counts from now on; `late`: its edits of statuses are left for the next run. */
  adopt(sheet: Sheet, edits: Edits, isLate: boolean): void;
  /** The file says this, which was adopted. */
  file(sheet: Sheet): void;
  draft(): Draft;
  written(draft: Draft): void;
}

/** @param lastGoodFile where the version is kept that was last written or taken */
export function createLedger(sheet: Sheet, lastGoodFile: string): Ledger {
  const pending = createPending();
  const history = createHistory();
  const lastGood = createLastGood(lastGoodFile, sheet);
  let filed = sheet;
  let known = sheet;

  function show(job: JobName, cells: Cells): void {
    pending.show(job, cells);
    lastGood.recorded(job);
  }

  function adopt(next: Sheet, edits: Edits, isLate: boolean): void {
    const rows = [...changedRows(known, next)];
    for (const { job, before } of rows) if (before) history.changed(job, before);
    known = next;
    if (isLate) return lastGood.freeze();
    pending.compare(rows, edits, (job, row) => history.earlier(job).some((one) => isSameText(one, row)));
    lastGood.expect(edits.rows.map(({ job }) => job));
  }

  function file(next: Sheet): void {
    filed = next;
    lastGood.take(next);
  }

  function draft(): Draft {
    const batch = pending.batch();
    return { batch, table: mergeCells(known, batch) };
  }

  function written({ batch, table }: Draft): void {
    const before = known;
    known = { ...known, table };
    filed = known;
    for (const job of batch.keys()) {
      const row = rowTexts(before, job);
      if (row) history.written(job, row, rowTexts(known, job)!);
    }
    pending.settle(batch);
    lastGood.written(known, batch);
  }

  return {
    filed: () => filed,
    known: () => known,
    earlier: history.earlier,
    hasWork: () => !pending.isEmpty() || known !== filed,
    show,
    adopt,
    file,
    draft,
    written,
  };
}
