/** CSV text to records and back: untouched records keep every byte, a changed one changes only in the cells set. */
import { parse } from 'csv-parse/sync';

/** A parsed file: the values for reading, the text and where each record starts for writing. */
export interface Table {
  readonly text: string;
  /** Cells as read, unquoted; the first record is the header; blank lines are records of one empty cell. */
  readonly records: readonly (readonly string[])[];
  /** Offset of each record in `text`, and the end of the text behind the last. */
  readonly starts: Uint32Array;
}

export type CsvFault =
  /** A quote that is never closed; the line is where it was opened. */
  | { readonly kind: 'quote-open'; readonly line: number }
  | { readonly kind: 'quote-misplaced'; readonly line: number }
  | { readonly kind: 'unreadable'; readonly line: number; readonly detail: string };

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads CSV text (RFC 4180 quoting; CRLF, LF and CR in any mixture; a leading byte-order mark is kept, not read).
 * csv-parse gives the values. The record bounds are ours, as its `raw` drops the LF of a CRLF (7.0.3).
 */
export function parseTable(text: string): Table | CsvFault {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  let records: string[][];
  try {
    records = parse(body, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
  } catch (error) {
    return faultOf(error as { code: string; lines?: number; message: string }, body);
  }
  const starts = recordStarts(text);
  if (starts.length !== records.length + 1) {
    throw new Error(`impossible: ${records.length} records read, ${starts.length - 1} found`);
  }
  return { text, records, starts };
}

export function isFault(result: Table | CsvFault): result is CsvFault {
  return 'kind' in result;
}

function faultOf(error: { code: string; lines?: number; message: string }, body: string): CsvFault {
  const line = error.lines ?? 1;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return { kind: 'quote-open', line: openQuoteLine(body) };
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return { kind: 'quote-misplaced', line };
    default:
      return { kind: 'unreadable', line, detail: error.message };
  }
}

/** The line on which the quote was opened that is still open at the end; csv-parse names the last line. */
function openQuoteLine(text: string): number {
  let line = 1;
  let opened = 1;
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      inQuotes = !inQuotes;
      if (inQuotes) opened = line;
    } else if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) line++;
  }
  return opened;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;

/** In valid CSV a quote is either a border of a cell or one of a doubled pair, so counting them is enough. */
function recordStarts(text: string): Uint32Array {
  const starts: number[] = [];
  let start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  let inQuotes = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > QUOTE) continue;
    if (code === QUOTE) inQuotes = !inQuotes;
    else if (!inQuotes && (code === LF || code === CR)) {
      if (code === CR && text.charCodeAt(at + 1) === LF) at++;
      starts.push(start);
      start = at + 1;
    }
  }
  if (start < text.length) starts.push(start);
  starts.push(text.length);
  return Uint32Array.from(starts);
}

/** New values for some cells of one record, by column index. */
export type CellChanges = ReadonlyMap<number, string>;

/** The table with the given cells replaced, by record index; every other character stays as it is. */
export function replaceCells(table: Table, changes: ReadonlyMap<number, CellChanges>): Table {
  const indexes = [...changes.keys()].sort((a, b) => a - b);
  const parts: string[] = [];
  const records = table.records.slice();
  const starts = table.starts.slice();
  let copied = 0;
  let grown = 0;
  indexes.forEach((index, place) => {
    const start = table.starts[index]!;
    const end = table.starts[index + 1]!;
    const changed = recordWith(table.text.slice(start, end), changes.get(index)!);
    parts.push(table.text.slice(copied, start), changed);
    records[index] = cellsWith(table.records[index]!, changes.get(index)!);
    copied = end;
    grown += changed.length - (end - start);
    const next = indexes[place + 1] ?? starts.length - 1;
    for (let behind = index + 1; behind <= next; behind++) starts[behind] = table.starts[behind]! + grown;
  });
  parts.push(table.text.slice(copied));
  return { text: parts.join(''), records, starts };
}

function cellsWith(cells: readonly string[], changes: CellChanges): string[] {
  const changed = cells.slice();
  for (const [column, value] of changes) {
    while (changed.length <= column) changed.push('');
    changed[column] = value;
  }
  return changed;
}

/** One record's text with cells replaced; missing cells at the end of a short record are added. */
function recordWith(record: string, changes: CellChanges): string {
  const { cells, lineEnd } = splitRecord(record);
  for (const [column, value] of changes) {
    while (cells.length <= column) cells.push('');
    const quoted = cells[column]!.startsWith('"') || /[",\r\n]/.test(value);
    cells[column] = quoted ? `"${value.replaceAll('"', '""')}"` : value;
  }
  return cells.join(',') + lineEnd;
}

/** The cells of one record as they stand in the file, quotes included, and its line end. */
function splitRecord(record: string): { cells: string[]; lineEnd: string } {
  const lineEnd = /(?:\r\n|\n|\r)?$/.exec(record)![0];
  const body = record.slice(0, record.length - lineEnd.length);
  const cells: string[] = [];
  let start = 0;
  let inQuotes = false;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === QUOTE) inQuotes = !inQuotes;
    else if (code === COMMA && !inQuotes) {
      cells.push(body.slice(start, at));
      start = at + 1;
    }
  }
  cells.push(body.slice(start));
  return { cells, lineEnd };
}
