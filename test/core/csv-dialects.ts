/** CSV texts of any dialect that may be mixed in one file, with the cells they hold. */
import fc from 'fast-check';

interface DialectCell {
  readonly value: string;
  readonly raw: string;
}

export interface DialectRow {
  readonly cells: readonly DialectCell[];
  readonly lineEnd: string;
}

export interface Dialect {
  readonly mark: string;
  readonly rows: readonly DialectRow[];
}

const PLAIN = [...'aZ09 _=+-;\t日次ガ集計'];
const NEEDS_QUOTES = ['"', ',', '\r', '\n', '\r\n'];

export const values = fc
  .array(fc.constantFrom(...PLAIN, ...NEEDS_QUOTES), { maxLength: 6 })
  .map((parts) => parts.join(''));

const cells: fc.Arbitrary<DialectCell> = fc.tuple(values, fc.boolean()).map(([value, isQuoted]) => ({
  value,
  raw: isQuoted || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
}));

const lineEnds = fc.constantFrom('\r\n', '\n', '\r');
const blank: DialectCell = { value: '', raw: '' };

/** Ragged rows, and more often than by chance the blank lines and rows of commas that spreadsheets leave. */
const rows: fc.Arbitrary<DialectRow> = fc.record({
  cells: fc.oneof(
    { weight: 5, arbitrary: fc.array(cells, { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constant([blank]) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 5 }).map((count) => Array(count).fill(blank)) },
  ),
  lineEnd: lineEnds,
});

export const dialects: fc.Arbitrary<Dialect> = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    rows: fc.array(rows, { maxLength: 8 }),
    endsInLineEnd: fc.boolean(),
  })
  .map(({ mark, rows, endsInLineEnd }) => ({ mark, rows: unambiguous(rows, endsInLineEnd) }));

export function rawRow(row: DialectRow): string {
  return row.cells.map(({ raw }) => raw).join(',') + row.lineEnd;
}

export function valuesOf(row: DialectRow): string[] {
  return row.cells.map(({ value }) => value);
}

export function textOf({ mark, rows }: Dialect): string {
  return mark + rows.map(rawRow).join('');
}

/** A lone CR before a blank line of LF is a CRLF; a blank last line without a line end is no line. */
function unambiguous(rows: readonly DialectRow[], endsInLineEnd: boolean): DialectRow[] {
  return rows.map((row, index) => {
    const next = rows[index + 1];
    if (next) return row.lineEnd === '\r' && rawRow(next) === '\n' ? { ...row, lineEnd: '\r\n' } : row;
    return endsInLineEnd || rawRow(row) === row.lineEnd ? row : { ...row, lineEnd: '' };
  });
}
