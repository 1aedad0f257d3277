import { describe, expect, test } from 'vitest';
import {
  type CellChanges,
  isFault,
  lineOf,
  parseTable,
  replaceCells,
  type Table,
} from '../../src/core/csv.js';

function parsed(text: string): Table {
  const table = parseTable(text);
  if (isFault(table)) throw new Error(`refused: ${JSON.stringify(table)}`);
  return table;
}

/** The text with one cell replaced. */
function edited(text: string, record: number, column: number, value: string): string {
  const changes: CellChanges = new Map([[column, value]]);
  return replaceCells(parsed(text), new Map([[record, changes]])).text;
}

describe('CSV-03 line ends of any kind', () => {
  test.each([
    ['LF, then CRLF, then LF', 'job,status\nA,9\r\nB,9\n'],
    ['CRLF, then LF', 'job,status\r\nA,9\nB,9\r\n'],
    ['lone CR', 'job,status\rA,9\rB,9\r'],
    ['CR, then CRLF, none at the end', 'job,status\rA,9\r\nB,9'],
  ])('never get into a cell: %s', (_, text) => {
    expect(parsed(text).records).toEqual([
      ['job', 'status'],
      ['A', '9'],
      ['B', '9'],
    ]);
  });

  test('stay as they are in rows that are changed', () => {
    expect(edited('job,status\nA,9\r\nB,9\n', 1, 1, '0')).toBe('job,status\nA,0\r\nB,9\n');
  });
});

describe('CSV-04 a missing quote', () => {
  test.each([
    ['before rows without quotes', 'job,status,stime,etime,prev1\nA,9,,,\n"B,9,,,A\nC,9,,,B\nD,9,,,C\n', 3],
    ['in CRLF rows', 'job,status\r\nA,9\r\n"B,9\r\nC,9\r\n', 3],
    ['in CR rows', 'job,status\rA,9\r"B,9\rC,9\r', 3],
    ['behind a byte-order mark', '\ufeffjob,status\n"A,9\n', 2],
    ['before a row with a quoted name', 'job,status\n"A,9\n"B",9\nC,9\n', 2],
    ['before a row with a quoted cell at its end', 'job,status,prev1\n"A,9,\nB,9,"A"\n', 2],
    ['before a row with a quoted cell that holds a quote', 'job,status\n"A,9\n"say ""hi""",9\n', 2],
    ['behind a cell of two lines', 'job,status,note\nA,9,"one\ntwo"\n"B,9,\n', 4],
    ['behind a doubled quote', 'job,status\n"say ""hi""",9\n"B,9\n', 3],
    ['in the last cell of the file', 'job,status\nA,9\nB,"9', 3],
    ['in the header', 'job,"status\nA,9\n', 1],
    ['as the last character', 'job,status\nA,"', 2],
  ])('is reported on the line where it was opened: %s', (_, text, line) => {
    expect(parseTable(text)).toEqual({ kind: 'quote-open', line });
  });

  test.each([
    ['a quote inside a cell', 'job,status\nA,9\nsay "hi",9\n', 3],
    ['a quote at the end of a cell only', 'job,status\nA",9\n', 2],
    ['a blank before a quoted cell', 'job,status\n "A",9\n', 2],
    ['a blank behind a quoted cell', 'job,status\n"A" ,9\n', 2],
    ['a quote that is not doubled', 'job,status\nA,9\n"say "hi"",9\n', 3],
  ])('is told from a quote in the wrong place: %s', (_, text, line) => {
    expect(parseTable(text)).toEqual({ kind: 'quote-misplaced', line });
  });
});

describe('a record', () => {
  test('is cut where csv-parse cuts it, the line end included', () => {
    expect([...parsed('a\r\n\n"b\n",c\rd').starts]).toEqual([0, 3, 4, 11, 12]);
  });

  test('begins behind the byte-order mark', () => {
    expect([...parsed('\ufeffa\nb').starts]).toEqual([1, 3, 4]);
  });

  test('has no part in a text without one', () => {
    expect(parsed('')).toEqual({ text: '', records: [], starts: Uint32Array.of(0) });
  });

  test('is named by the line on which it begins, although a cell above has two lines', () => {
    expect(lineOf(parsed('job\n"a\nb"\r\nc'), 2)).toBe(4);
  });
});

describe('a replaced cell', () => {
  test('keeps the quotes that it had', () => {
    expect(edited('job,status\n"A","9"\n', 1, 1, '0')).toBe('job,status\n"A","0"\n');
  });

  test('gets no quotes that it does not need', () => {
    expect(edited('job,status\n"A",9\n', 1, 1, '0')).toBe('job,status\n"A",0\n');
  });

  test.each([
    ['a comma', 'x,y', '"x,y"'],
    ['a quote', 'say "hi"', '"say ""hi"""'],
    ['a line end', 'a\nb', '"a\nb"'],
  ])('gets quotes for %s', (_, value, raw) => {
    expect(edited('job,note\nA,\n', 1, 1, value)).toBe(`job,note\nA,${raw}\n`);
  });

  test('is added with the commas before it to a row that is short', () => {
    expect(edited('job,status,stime\nA\n', 1, 2, 'x')).toBe('job,status,stime\nA,,x\n');
  });

  test('does not make its row vanish when it is the only one and is emptied', () => {
    expect(parsed(edited('job\nA', 1, 0, '')).records).toEqual([['job'], ['']]);
  });

  test('does not become a byte-order mark at the beginning of the text', () => {
    expect(parsed(edited('a\n', 0, 0, '\ufeff')).records).toEqual([['\ufeff']]);
  });

  test('moves the starts of all records behind it', () => {
    const table = parsed('a,1\nb,2\nc,3\nd,4\n');
    const changes = new Map([
      [1, new Map([[1, '22']])],
      [3, new Map([[1, '']])],
    ]);
    expect([...replaceCells(table, changes).starts]).toEqual([0, 4, 9, 13, 16]);
  });

  test('leaves the table that it was made from as it was', () => {
    const table = parsed('a,1\n');
    replaceCells(table, new Map([[0, new Map([[1, '2']])]]));
    expect(table).toEqual(parsed('a,1\n'));
  });
});
