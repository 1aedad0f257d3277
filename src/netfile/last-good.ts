/**
 * The version that was last written or taken, kept on disk: what differs from it when nobody runs is an edit.
 * It never runs ahead of the record: an edit that is taken and not durable yet would be lost with a crash.
 */
import { renameSync, writeFileSync } from 'node:fs';
import type { Cells } from '../core/project.js';
import type { Sheet } from '../core/sheet.js';
import type { JobName } from '../core/words.js';
import { mergeCells } from './merge.js';

export interface LastGood {
  /** A version was taken from the file. */
  take(sheet: Sheet): void;
  /** From here on edits are left for the next run: only our own cells follow. */
  freeze(): void;
  written(sheet: Sheet, batch: ReadonlyMap<JobName, Cells>): void;
  /** Edits of these jobs were obeyed or not, and are not on record yet. */
  expect(jobs: Iterable<JobName>): void;
  recorded(job: JobName): void;
}

export function createLastGood(file: string, first: Sheet): LastGood {
  const expected = new Set<JobName>();
  let sheet = first;
  let isFrozen = false;
  let isSaved = true;

  function change(next: Sheet): void {
    sheet = next;
    isSaved = false;
    save();
  }

  function written(next: Sheet, batch: ReadonlyMap<JobName, Cells>): void {
    change(isFrozen ? { ...sheet, table: mergeCells(sheet, batch) } : next);
  }

  function recorded(job: JobName): void {
    if (expected.delete(job)) save();
  }

  /** Not synced: after a power cut it may be missing, and then the state of the run is what counts. */
  function save(): void {
    if (isSaved || expected.size > 0) return;
    try {
      writeFileSync(`${file}.new`, Buffer.from(sheet.table.text, 'latin1'));
      renameSync(`${file}.new`, file);
      isSaved = true;
    } catch {
      // An older one serves as well: whatever the journal knows is no edit. The next change tries again.
    }
  }

  return {
    take: (next) => {
      if (!isFrozen) change(next);
    },
    freeze: () => {
      isFrozen = true;
    },
    written,
    expect: (jobs) => {
      for (const job of jobs) expected.add(job);
    },
    recorded,
  };
}
