/** One version of jobnet.csv, read whole: the net, the status cells, and all problems at once. */
import { type Columns, findColumns } from './columns.js';
import { isFault, lineOf, parseTable, type Table } from './csv.js';
import { findCycles } from './cycles.js';
import { foldedName, nameFault, nearestName, normalName, START, trimCell } from './names.js';
import { createNet, type Net } from './net.js';
import type { Problem, Warning } from './problems.js';
import { parseLimit } from './times.js';
import type { JobName, Millis, StatusCode } from './words.js';

export interface Sheet {
  readonly table: Table;
  readonly columns: Columns;
  readonly net: Net;
  /** Status cells by job index; a blank cell is 9. */
  readonly statuses: readonly StatusCode[];
  readonly warnings: readonly Warning[];
}

export type SheetResult =
  | { readonly kind: 'good'; readonly sheet: Sheet }
  | { readonly kind: 'bad'; readonly problems: readonly Problem[] };

/** The nearest name is looked for until so many pairs of names have been compared, which takes about a second. */
const COMPARISONS_MAX = 1_000_000;

/**
 * Reads CSV text; a file with any problem is refused as a whole, and all of its problems are reported.
 * @param bytes the same file with a character for each byte, when it was decoded
 */
export function readSheet(text: string, bytes: string = text): SheetResult {
  const table = parseTable(text, bytes);
  if (isFault(table)) return { kind: 'bad', problems: [{ code: 'csv', fault: table }] };
  const problems: Problem[] = [];
  const warnings: Warning[] = [];
  if (table.records.every(isBlank)) return { kind: 'bad', problems: [{ code: 'no-jobs' }] };
  const separator = otherSeparator(table.records[0]!);
  if (separator) return { kind: 'bad', problems: [{ code: 'separator', found: separator }] };
  const columns = findColumns(table.records[0]!, problems);
  // Without its columns the rest of the file cannot be read, only guessed.
  if (columns.job < 0 || columns.status < 0) return { kind: 'bad', problems };
  const rows = readRows(table, columns, problems, warnings);
  if (rows.names.length === 0) problems.push({ code: 'no-jobs' });
  const net = resolve(rows, columns, problems);
  addCycles(net, problems);
  if (problems.length > 0) return { kind: 'bad', problems: problems.sort(byPlace) };
  return { kind: 'good', sheet: { table, columns, net, statuses: rows.statuses, warnings } };
}

/** Regional settings of a desktop, "Unicode text", or a first line for a spreadsheet: told, not obeyed. */
function otherSeparator([first = '', second]: readonly string[]): ';' | 'tab' | 'sep=' | null {
  if (/^sep=/i.test(trimCell(first))) return 'sep=';
  if (second !== undefined && trimCell(second) !== '') return null;
  const hasColumns = (separator: string) => {
    const names = first.split(separator).map(trimCell);
    return names.includes('job') && names.includes('status');
  };
  return hasColumns(';') ? ';' : hasColumns('\t') ? 'tab' : null;
}

interface Rows {
  readonly names: JobName[];
  readonly rows: number[];
  readonly statuses: StatusCode[];
  readonly commands: Map<JobName, string>;
  readonly rerunsLost: Set<JobName>;
  readonly timeouts: Map<JobName, Millis>;
  /** Names and columns of predecessors, packed; those of job `i` begin at `offsets[i]`. */
  readonly predecessors: string[];
  readonly predecessorColumns: number[];
  readonly offsets: number[];
}

function readRows(table: Table, columns: Columns, problems: Problem[], warnings: Warning[]): Rows {
  const rows: Rows = {
    names: [],
    rows: [],
    statuses: [],
    commands: new Map(),
    rerunsLost: new Set(),
    timeouts: new Map(),
    predecessors: [],
    predecessorColumns: [],
    offsets: [0],
  };
  for (let record = 1; record < table.records.length; record++) {
    const cells = table.records[record]!;
    if (isBlank(cells)) continue;
    readRow(cells, record + 1, columns, rows, problems, warnings);
    if (isSwallowing(cells, columns)) {
      problems.push({ code: 'csv', fault: { kind: 'quote-open', line: lineOf(table, record) } });
    }
  }
  return rows;
}

/** Deleting cells in a spreadsheet leaves rows of commas: they count as blank lines. */
function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => trimCell(cell) === '');
}

/**
 * A missing quote takes the rows up to the next quote into its cell. In names, statuses and predecessors that is
 * refused anyway; in a time, which nobody checks, they would be gone without a word.
 */
function isSwallowing(cells: readonly string[], { stime, etime }: Columns): boolean {
  return [stime, etime].some((column) => /[\r\n]/.test(cells[column] ?? ''));
}

function readRow(
  cells: readonly string[],
  row: number,
  columns: Columns,
  rows: Rows,
  problems: Problem[],
  warnings: Warning[],
): void {
  const name = normalName(cells[columns.job] ?? '');
  const fault = name === '' ? null : nameFault(name);
  if (name === '') problems.push({ code: 'name-missing', row, column: columns.job + 1 });
  else if (fault) problems.push({ code: 'name', row, column: columns.job + 1, name, fault });
  for (let index = columns.width; index < cells.length; index++) {
    const value = trimCell(cells[index]!);
    if (value !== '') problems.push({ code: 'cell-beyond-header', row, column: index + 1, value });
  }
  for (const [index, later] of columns.later) {
    if (trimCell(cells[index] ?? '') === '') continue;
    problems.push({ code: 'column-unsupported', row, column: index + 1, name: later });
  }
  warnOfSpaces(cells, columns.job, name, row, warnings);
  rows.names.push(name);
  rows.rows.push(row);
  rows.statuses.push(readStatus(cells[columns.status] ?? '', row, columns, problems));
  const command = columns.command < 0 ? '' : trimCell(cells[columns.command] ?? '');
  if (command !== '') rows.commands.set(name, command);
  if (rerunsLost(cells, row, columns, problems)) rows.rerunsLost.add(name);
  readTimeout(cells, row, name, columns, rows, problems);
  readPredecessors(cells, row, name, columns, rows, warnings);
}

/** Other tools do not take such spaces off, and then see another name. */
function warnOfSpaces(
  cells: readonly string[],
  column: number,
  value: string,
  row: number,
  warnings: Warning[],
): void {
  const cell = cells[column] ?? '';
  // Almost no cell has any space around its name.
  if (cell.length > value.length && value !== '' && UNSEEN_SPACES.test(cell)) {
    warnings.push({ code: 'trimmed', row, column: column + 1, value });
  }
}

const UNSEEN_SPACES = /^[^\S ]|[^\S ]$/u;

function readStatus(cell: string, row: number, columns: Columns, problems: Problem[]): StatusCode {
  const value = trimCell(cell);
  switch (value) {
    case '0':
    case '1':
    case '2':
    case '9':
      return value;
    case '':
      return '9';
    default:
      problems.push({ code: 'status', row, column: columns.status + 1, value });
      return '9';
  }
}

function rerunsLost(
  cells: readonly string[],
  row: number,
  { onLost }: Columns,
  problems: Problem[],
): boolean {
  const value = onLost < 0 ? '' : trimCell(cells[onLost] ?? '');
  if (value !== '' && value !== 'rerun') problems.push({ code: 'on-lost', row, column: onLost + 1, value });
  return value === 'rerun';
}

function readTimeout(
  cells: readonly string[],
  row: number,
  job: string,
  { timeout }: Columns,
  rows: Rows,
  problems: Problem[],
): void {
  const value = timeout < 0 ? '' : trimCell(cells[timeout] ?? '');
  if (value === '') return;
  const limit = parseLimit(value);
  if (limit === null) problems.push({ code: 'timeout', row, column: timeout + 1, value });
  else rows.timeouts.set(job, limit);
}

function readPredecessors(
  cells: readonly string[],
  row: number,
  job: string,
  columns: Columns,
  rows: Rows,
  warnings: Warning[],
): void {
  const first = rows.predecessors.length;
  let startColumn = 0;
  for (const index of columns.predecessors) {
    const predecessor = normalName(cells[index] ?? '');
    if (predecessor === '') continue;
    warnOfSpaces(cells, index, predecessor, row, warnings);
    if (predecessor === START) startColumn = index + 1;
    else if (rows.predecessors.indexOf(predecessor, first) >= 0) {
      warnings.push({ code: 'predecessor-repeated', row, column: index + 1, job, predecessor });
    } else {
      rows.predecessors.push(predecessor);
      rows.predecessorColumns.push(index + 1);
    }
  }
  if (startColumn > 0 && rows.predecessors.length > first) {
    warnings.push({ code: 'start-ignored', row, column: startColumn, job });
  }
  rows.offsets.push(rows.predecessors.length);
}

/** Names to indexes. With problems the net is incomplete: what has no index has no edge. */
function resolve(rows: Rows, columns: Columns, problems: Problem[]): Net {
  const indexes = indexNames(rows, columns, problems);
  const candidates = [START, ...indexes.keys()];
  const offsets = [0];
  const targets: number[] = [];
  let comparisons = 0;
  for (let job = 0; job < rows.names.length; job++) {
    for (let at = rows.offsets[job]!; at < rows.offsets[job + 1]!; at++) {
      const predecessor = rows.predecessors[at]!;
      const index = indexes.get(predecessor);
      if (index !== undefined) {
        targets.push(index);
        continue;
      }
      comparisons += candidates.length;
      const others =
        comparisons > COMPARISONS_MAX ? [] : candidates.filter((name) => name !== rows.names[job]);
      problems.push({
        code: 'unknown-predecessor',
        row: rows.rows[job]!,
        column: rows.predecessorColumns[at]!,
        job: rows.names[job]!,
        predecessor,
        nearest: nearestName(predecessor, others),
      });
    }
    offsets.push(targets.length);
  }
  const { names, commands, rerunsLost, timeouts } = rows;
  const predecessors = { offsets: Int32Array.from(offsets), targets: Int32Array.from(targets) };
  const own = { names, indexes, rows: Int32Array.from(rows.rows), commands, rerunsLost, timeouts };
  return createNet({ ...own, predecessors });
}

/** Two names that differ only in case, or in Unicode form (already NFC here), are one name given twice. */
function indexNames(rows: Rows, columns: Columns, problems: Problem[]): Map<JobName, number> {
  const indexes = new Map<JobName, number>();
  const folded = new Map<string, number>();
  rows.names.forEach((name, job) => {
    if (name === '') return;
    const key = foldedName(name);
    const first = folded.get(key);
    if (first === undefined) {
      folded.set(key, job);
      indexes.set(name, job);
      return;
    }
    if (!indexes.has(name)) indexes.set(name, job);
    problems.push({
      code: 'name-repeated',
      row: rows.rows[job]!,
      column: columns.job + 1,
      name,
      first: rows.rows[first]!,
      firstName: rows.names[first]!,
    });
  });
  return indexes;
}

function addCycles(net: Net, problems: Problem[]): void {
  for (const cycle of findCycles(net)) {
    const path = cycle.map((index) => ({ job: net.names[index]!, row: net.rows[index]! }));
    problems.push({ code: 'cycle', path });
  }
}

function byPlace(a: Problem, b: Problem): number {
  return placeOf(a).row - placeOf(b).row || placeOf(a).column - placeOf(b).column;
}

/** Row and column of a problem, for sorting; 0 where it concerns the whole file. */
function placeOf(problem: Problem): { row: number; column: number } {
  if (problem.code === 'cycle') return { row: problem.path[0]!.row, column: 0 };
  return { row: 'row' in problem ? problem.row : 0, column: 'column' in problem ? problem.column : 0 };
}
