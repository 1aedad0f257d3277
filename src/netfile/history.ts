/** Rows that jobs had before: a row that comes back as one of them was saved from then. */
import type { RowTexts } from '../core/versions.js';
import type { JobName } from '../core/words.js';
import { isSameText } from './merge.js';

/** Rows kept of one job; more are made only by a person who changes one status over and over. */
const ROWS_MAX = 20;

export interface History {
  earlier(job: JobName): readonly RowTexts[];
  /** A version of somebody else has another row for the job than `before`. */
  changed(job: JobName, before: RowTexts): void;
  /** We have written `after` in the place of `before`. */
  written(job: JobName, before: RowTexts, after: RowTexts): void;
}

export function createHistory(): History {
  const past = new Map<JobName, readonly RowTexts[]>();
  const earlier = (job: JobName) => past.get(job) ?? [];

  function changed(job: JobName, before: RowTexts): void {
    const rows = earlier(job);
    // Copies that are saved and put back again and again must not push out what is older.
    if (!rows.some((row) => isSameText(row, before))) past.set(job, [...rows, before].slice(-ROWS_MAX));
  }

  function written(job: JobName, before: RowTexts, after: RowTexts): void {
    if (isSameText(before, after)) return;
    changed(job, before);
    if (after.etime === '') return;
    const rows = earlier(job);
    const first = rows.findIndex((row) => isSameText(row, after));
    if (first < 0) return;
    // A repaired row, or an attempt that failed again within a second: what followed the first time says nothing of age.
    // What has ended does not run again on the word of a row that was there before: then only the row itself is of now.
    past.set(job, after.status === '1' ? rows.slice(0, first) : rows.toSpliced(first, 1));
  }

  return { earlier, changed, written };
}
