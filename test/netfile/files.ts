/** Files of any dialect that people and tools leave, as bytes, with the cells that are in them. */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { localTime } from '../../src/netfile/localtime.js';

/** Everything here is a text of bytes: a character for each. */
interface FileCell {
  readonly raw: string;
  /** Without quotes and the blanks around it. */
  readonly plain: string;
}

export interface FileRow {
  /** As the program knows it; null: a row without a job. */
  readonly job: string | null;
  readonly cells: readonly FileCell[];
  readonly lineEnd: string;
}

export interface FileModel {
  readonly encoding: 'utf-8' | 'cp932';
  readonly mark: string;
  /** By index of the column; -1: there is none. */
  readonly columns: { readonly status: number; readonly stime: number; readonly etime: number };
  readonly header: FileRow;
  readonly rows: readonly FileRow[];
}

const NAMES = ['J01', '0010', '日次 集計', '表', 'ソ', '締め処理', 'ﾊﾝｶｸ', 'a,b', 'x"y', 'α', '3-1', 'ガス'];
const JUNK = ['memo', '部署', 'owner', '備考', 'x"1', 'a,b', 'tel '];
/** Parts of cells that are nobody's but the operator's. */
const PARTS = {
  'utf-8': ['a', '9', ' ', '日', '～', '〜', '−', '髙', '🎌', 'カ\u3099', '\t', ';', '='].map((part) =>
    Buffer.from(part).toString('latin1'),
  ),
  cp932: ['a', '9', ' ', '\x95\x5c', '\xee\xe0', '\xfb\xfc', '\x87\x8a', '\x81\x60', '\xb6\xde', '\\', ';'],
};
const NEEDS_QUOTES = ['"', ',', '\r', '\n', '\r\n'];

const lineEnds = fc.constantFrom('\r\n', '\n', '\r');
const quoting = fc.constantFrom('as needed', 'always') as fc.Arbitrary<'as needed' | 'always'>;

function cellOf(value: string, isQuoted: boolean, blanks: string): FileCell {
  const needs = /[",\r\n]/.test(value);
  const raw = isQuoted || needs ? `"${value.replaceAll('"', '""')}"` : `${blanks}${value}${blanks}`;
  return { raw, plain: value };
}

export const files: fc.Arbitrary<FileModel> = fc
  .constantFrom('utf-8' as const, 'cp932' as const)
  .chain((encoding) =>
    fc
      .record({
        mark: encoding === 'utf-8' ? fc.constantFrom('', '\xef\xbb\xbf') : fc.constant(''),
        names: fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 6 }),
        ours: fc.shuffledSubarray(['stime', 'etime', 'prev1'], { minLength: 0 }),
        junk: fc.shuffledSubarray(JUNK, { maxLength: 3 }),
        order: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
        style: quoting,
      })
      .chain(({ mark, names, ours, junk, order, style }) => {
        const encode = (text: string) => encoded(text, encoding);
        const titles = sorted(['job', 'status', ...ours, ...junk], order);
        const columns = {
          status: titles.indexOf('status'),
          stime: titles.indexOf('stime'),
          etime: titles.indexOf('etime'),
        };
        const isQuoted = fc.boolean().map((chance) => style === 'always' || chance);
        const header = fc.record({
          job: fc.constant(null),
          cells: fc.tuple(
            ...titles.map((title) =>
              fc.tuple(isQuoted, fc.constantFrom('', ' ')).map(([q, b]) => cellOf(encode(title), q, b)),
            ),
          ),
          lineEnd: lineEnds,
        });
        const row = (job: string) =>
          fc.record({
            job: fc.constant(job),
            cells: fc
              .tuple(...titles.map((title) => cellIn(title, job, encoding, isQuoted)))
              .chain((cells) => cut(cells, titles)),
            lineEnd: lineEnds,
          });
        const blankRow = fc.record({
          job: fc.constant(null),
          cells: fc.integer({ min: 1, max: 5 }).map((count) => Array(count).fill(cellOf('', false, ''))),
          lineEnd: lineEnds,
        });
        const body = fc
          .tuple(...names.map((name) => fc.tuple(fc.array(blankRow, { maxLength: 1 }), row(name))))
          .map((groups) => groups.flatMap(([blank, own]): FileRow[] => [...blank, own]));
        return fc
          .record({ header, rows: body, endsInLineEnd: fc.boolean() })
          .map(({ header: first, rows, endsInLineEnd }) => ({
            encoding,
            mark,
            columns,
            ...unambiguous(first, rows, endsInLineEnd),
          }));
      }),
  );

function encoded(text: string, encoding: 'utf-8' | 'cp932'): string {
  return iconv.encode(text, encoding).toString('latin1');
}

function sorted(titles: readonly string[], order: readonly number[]): string[] {
  return titles
    .map((title, index) => ({ title, place: order[index]! }))
    .sort((a, b) => a.place - b.place)
    .map(({ title }) => title);
}

function cellIn(title: string, job: string, encoding: 'utf-8' | 'cp932', isQuoted: fc.Arbitrary<boolean>) {
  const blanks = fc.constantFrom('', '', ' ', '\t');
  const of = (value: fc.Arbitrary<string>) =>
    fc.tuple(value, isQuoted, blanks).map(([own, q, b]) => cellOf(own, q, b));
  switch (title) {
    case 'job':
      return of(fc.constant(encoded(job, encoding)));
    case 'status':
      return of(fc.constantFrom('0', '1', '2', '9', ''));
    case 'stime':
    case 'etime':
      return of(fc.constantFrom('', localTime(0), localTime(86_400_000), '2026/1/2 3:04', 'x'));
    case 'prev1':
      return of(fc.constantFrom('', 'Start'));
    default: {
      const part = fc.constantFrom(...PARTS[encoding], ...NEEDS_QUOTES);
      return fc
        .tuple(fc.array(part, { maxLength: 5 }), isQuoted)
        .map(([parts, q]) => cellOf(parts.join(''), q, ''));
    }
  }
}

/** Rows may be shorter than the header, as spreadsheets leave blank cells out. */
function cut(cells: FileCell[], titles: readonly string[]): fc.Arbitrary<FileCell[]> {
  const shortest = titles.indexOf('job') + 1;
  const last = cells.findLastIndex(({ plain }) => plain !== '') + 1;
  return fc
    .integer({ min: Math.max(shortest, 1), max: cells.length })
    .map((length) => cells.slice(0, Math.max(length, last)));
}

export function rawRow(row: FileRow): string {
  return row.cells.map(({ raw }) => raw).join(',') + row.lineEnd;
}

export function formOf({ mark, header, rows }: FileModel): string {
  return mark + [header, ...rows].map(rawRow).join('');
}

/** A lone CR before a blank line of LF is a CRLF; only the last row may go without a line end. */
function unambiguous(header: FileRow, rows: readonly FileRow[], endsInLineEnd: boolean) {
  const all = [header, ...rows].map((row, index, list) => {
    const next = list[index + 1];
    if (next) return row.lineEnd === '\r' && rawRow(next) === '\n' ? { ...row, lineEnd: '\r\n' } : row;
    return endsInLineEnd ? row : { ...row, lineEnd: '' };
  });
  return { header: all[0]!, rows: all.slice(1) };
}
