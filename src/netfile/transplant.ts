/** The cells that one version changes against another, put into a third: nobody's edit takes away another's. */
import { isFault, parseTable, replaceCells } from '../core/csv.js';
import { trimCell } from '../core/names.js';
import type { Sheet } from '../core/sheet.js';
import type { Edits, JobName } from '../core/words.js';
import { recordOf } from './merge.js';
import { sheetOf } from './read.js';

/** Null when `next` changes more than cells of rows, or when the result would be no net: then it counts as a whole. */
export function transplant(base: Sheet, next: Sheet, onto: Sheet): Sheet | null {
  const headers = [base, next, onto].map(({ table }) => table.records[0]!.join('\0'));
  const isSameShape = headers.every((header) => header === headers[0]) && haveSameJobs(base, next);
  if (!isSameShape) return null;
  const [before, after] = [base, next].map(bytesOf) as [Rows, Rows];
  const changes = new Map<number, Map<number, string>>();
  for (const job of next.net.names) {
    const target = recordOf(onto, job);
    if (target === null) continue;
    const cells = changedCells(before[recordOf(base, job)!]!, after[recordOf(next, job)!]!);
    if (cells.size > 0) changes.set(target, cells);
  }
  if (changes.size === 0) return onto;
  const { text } = replaceCells(onto.table, changes);
  const result = sheetOf(Buffer.from(text, 'latin1'));
  return result.kind === 'good' && haveSameJobs(onto, result.sheet) ? result.sheet : null;
}

/**
 * Whether a name has become another one although its bytes are the same: one damaged byte anywhere makes a file of
 * UTF-8 a file of CP932.
 */
export function isMisread(known: Sheet, next: Sheet, { removed, added }: Edits): boolean {
  if (removed.length === 0 || added.length === 0) return false;
  const names = (sheet: Sheet, jobs: readonly JobName[]) => {
    const rows = bytesOf(sheet);
    return jobs.map((job) => trimCell(rows[recordOf(sheet, job)!]![sheet.columns.job]!));
  };
  const gone = new Set(names(known, removed));
  return names(next, added).some((name) => gone.has(name));
}

type Rows = readonly (readonly string[])[];

function haveSameJobs({ net: one }: Sheet, { net: other }: Sheet): boolean {
  return one.names.length === other.names.length && one.names.every((job) => other.indexes.has(job));
}

/** Cells as they stand in the file, each byte a character: what is copied keeps its bytes. */
function bytesOf({ table }: Sheet): Rows {
  const parsed = parseTable(table.text.slice(table.starts[0]));
  if (isFault(parsed)) throw new Error('impossible: a version that can be read as text and not as bytes');
  return parsed.records;
}

function changedCells(before: readonly string[], after: readonly string[]): Map<number, string> {
  const changed = new Map<number, string>();
  for (let column = 0; column < Math.max(before.length, after.length); column++) {
    const value = after[column] ?? '';
    if (value !== (before[column] ?? '')) changed.set(column, value);
  }
  return changed;
}
