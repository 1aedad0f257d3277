/** CSV text to records and back: untouched records keep every byte, a changed one changes only in the cells set. */
import { parse } from 'csv-parse/sync';

/** A parsed file: the values for reading, the text and where each record starts for writing. */
export interface Table {
  /**
   * The file for writing. Where it came from bytes each character is one byte: no byte of UTF-8 or CP932 text is
   * taken for a quote, a comma or a line end, and what is copied from it was never decoded.
   */
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
/** The same in a text of bytes. */
const UTF8_MARK = '\xef\xbb\xbf';

/**
 * Reads CSV text (RFC 4180 quoting; CRLF, LF and CR in any mixture; a leading byte-order mark is kept, not read).
 * csv-parse gives the values. The record bounds are ours, as its `raw` drops the LF of a CRLF (7.0.3).
 * @param bytes the same file with a character for each byte, when it was decoded
 */
export function parseTable(text: string, bytes: string = text): Table | CsvFault {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  let records: string[][];
  try {
    records = parse(body, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
  } catch (error) {
    const { lines = 1, message } = error as { lines?: number; message: string };
    return quoteFault(body) ?? { kind: 'unreadable', line: lines, detail: message };
  }
  const starts = recordStarts(bytes);
  if (starts.length !== records.length + 1) {
    throw new Error(`impossible: ${records.length} records read, ${starts.length - 1} found`);
  }
  return { text: bytes, records, starts };
}

export function isFault(result: Table | CsvFault): result is CsvFault {
  return 'kind' in result;
}

/** The line on which a record begins; a quoted line end makes it differ from the number of the record. */
export function lineOf(table: Table, record: number): number {
  return table.text.slice(0, table.starts[record]).split(/\r\n|\n|\r/).length;
}

/** The first broken quote, the same that csv-parse stops at: it names the last line that was swallowed, not the first. */
function quoteFault(text: string): CsvFault | null {
  let line = 1;
  let opened = 0;
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) line++;
    if (code !== QUOTE) continue;
    if (!inQuotes) {
      if (!isBorder(text.charCodeAt(at - 1))) return { kind: 'quote-misplaced', line };
      inQuotes = true;
      opened = line;
    } else if (text.charCodeAt(at + 1) === QUOTE) at++;
    else {
      inQuotes = false;
      if (isBorder(text.charCodeAt(at + 1))) continue;
      // Closed on another line by what was meant to open the next quoted cell: the first quote has no partner.
      return opened === line ? { kind: 'quote-misplaced', line } : { kind: 'quote-open', line: opened };
    }
  }
  return inQuotes ? { kind: 'quote-open', line: opened } : null;
}

/** What may stand beside a quoted cell; NaN is the beginning or the end of the text. */
function isBorder(code: number): boolean {
  return code === COMMA || code === LF || code === CR || Number.isNaN(code);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;

/** In valid CSV a quote is either a border of a cell or one of a doubled pair, so counting them is enough. */
function recordStarts(text: string): Uint32Array {
  const starts: number[] = [];
  let start = text.startsWith(BYTE_ORDER_MARK) ? 1 : text.startsWith(UTF8_MARK) ? UTF8_MARK.length : 0;
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
    const isQuoted = cells[column]!.startsWith('"') || /[",\r\n\ufeff]/.test(value);
    cells[column] = isQuoted ? `"${value.replaceAll('"', '""')}"` : value;
  }
  // A record of one empty cell would vanish at the end of the text, or between a lone CR and a LF.
  return (cells.join(',') || '""') + lineEnd;
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
