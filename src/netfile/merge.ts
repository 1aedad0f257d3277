/** Our three cells in the rows of a version, and the proof that nothing else changes. */
import { type CellChanges, isFault, parseTable, replaceCells, type Table } from '../core/csv.js';
import { trimCell } from '../core/names.js';
import type { Cells } from '../core/project.js';
import type { Sheet } from '../core/sheet.js';
import { type RowTexts, rowTexts } from '../core/versions.js';
import type { JobName } from '../core/words.js';
import { localTime } from './localtime.js';

/** The table with the cells of some jobs; jobs without a row are passed over. Checked before it is returned. */
export function mergeCells(sheet: Sheet, batch: ReadonlyMap<JobName, Cells>): Table {
  const { table } = sheet;
  const changes = new Map<number, CellChanges>();
  for (const [job, cells] of batch) {
    const record = recordOf(sheet, job);
    if (record === null) continue;
    const values = valuesOf(sheet, cells);
    const current = table.records[record]!;
    for (const [column, value] of values) {
      if (trimCell(current[column] ?? '') === value) values.delete(column);
    }
    if (values.size > 0) changes.set(record, values);
  }
  if (changes.size === 0) return table;
  const merged = replaceCells(table, changes);
  check(table, merged, changes);
  return merged;
}

export function recordOf({ net }: Sheet, job: JobName): number | null {
  const index = net.indexes.get(job);
  return index === undefined ? null : net.rows[index]! - 1;
}

function valuesOf({ columns }: Sheet, { status, startedAt, endedAt }: Cells): Map<number, string> {
  const values = new Map<number, string>([[columns.status, status]]);
  if (columns.stime >= 0 && startedAt !== undefined) values.set(columns.stime, timeText(startedAt));
  if (columns.etime >= 0 && endedAt !== undefined) values.set(columns.etime, timeText(endedAt));
  return values;
}

function timeText(at: number | null): string {
  return at === null ? '' : localTime(at);
}

/** Cells as they stand in a row; times that are not ours to say are those of the row. */
export function textsOf({ status, startedAt, endedAt }: Cells, row: RowTexts | null): RowTexts {
  const text = (at: number | null | undefined, own = '') => (at === undefined ? own : timeText(at));
  return { status, stime: text(startedAt, row?.stime), etime: text(endedAt, row?.etime) };
}

/** A row that another version changes; null where it had none. */
export interface ChangedRow {
  readonly job: JobName;
  readonly before: RowTexts | null;
  readonly after: RowTexts;
}

export function* changedRows(known: Sheet, next: Sheet): Iterable<ChangedRow> {
  for (const job of next.net.names) {
    const before = rowTexts(known, job);
    const after = rowTexts(next, job)!;
    if (!before || !isSameText(before, after)) yield { job, before, after };
  }
}

export function isSameText(one: RowTexts, other: RowTexts): boolean {
  return one.status === other.status && one.stime === other.stime && one.etime === other.etime;
}

/**
 * What is about to be written is read again: the changed rows must have just the cells that were meant, and all others
 * as they were. Compared byte by byte, so no decoding stands between.
 */
function check(before: Table, after: Table, changes: ReadonlyMap<number, CellChanges>): void {
  const records = [...changes.keys()].sort((a, b) => a - b);
  const old = rowsOf(before, records);
  const next = rowsOf(after, records);
  records.forEach((record, index) => {
    const expected = [...old[index]!];
    for (const [column, value] of changes.get(record)!) {
      while (expected.length <= column) expected.push('');
      expected[column] = value;
    }
    if (
      expected.length !== next[index]!.length ||
      expected.some((cell, column) => cell !== next[index]![column])
    ) {
      throw new Error(`impossible: row ${record + 1} would not be read as it was written`);
    }
  });
}

/** Cells of some rows, each byte a character. */
function rowsOf({ text, starts }: Table, records: readonly number[]): readonly (readonly string[])[] {
  const rows = records.map((record) => text.slice(starts[record], starts[record + 1]));
  // Nothing but commas and line ends means anything without a quote; the parser is ten times slower.
  if (!rows.some((row) => row.includes('"')))
    return rows.map((row) => row.replace(/\r?\n$|\r$/, '').split(','));
  // The last row of a file may have no line end.
  const parsed = parseTable(rows.map((row) => (/[\r\n]$/.test(row) ? row : `${row}\n`)).join(''));
  if (isFault(parsed) || parsed.records.length !== records.length)
    throw new Error('impossible: rows that cannot be read');
  return parsed.records;
}
