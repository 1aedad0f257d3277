import { describe, expect, test } from 'vitest';
import { csv, good, predecessorsOf, problemsOf } from './sheets.js';

describe('CSV-02 a blank status', () => {
  test.each([
    ['empty', 'NEWJOB,,,,'],
    ['blanks', 'NEWJOB,  ,,,'],
    ['a full-width blank', 'NEWJOB,\u3000,,,'],
    ['a no-break space', 'NEWJOB,\u00a0,,,'],
    ['quoted', 'NEWJOB,"",,,'],
    ['missing with the rest of the row', 'NEWJOB'],
  ])('means not run, never ended: %s', (_, row) => {
    expect(good(csv(row, 'REPORT,9,,,NEWJOB')).statuses).toEqual(['9', '9']);
  });

  test('keeps the successor waiting', () => {
    expect(predecessorsOf(good(csv('NEWJOB,,,,', 'REPORT,9,,,NEWJOB')))['REPORT']).toEqual(['NEWJOB']);
  });

  test.each([
    '00', '0.0', '1e0', '0x1', '０', '９', 'TRUE', 'FALSE', '3', '-1', '+0', '09', '9.', '1,', '0 0', 'NaN', 'null',
    'ended', '"\n"', '２', '²', '99',
  ])('is the only one besides 0, 1, 2 and 9: %j is refused with row and column', (value) => {
    const cell = value === '"\n"' ? '"9\n9"' : `"${value}"`;
    const shown = value === '"\n"' ? '9\n9' : value;
    expect(problemsOf(csv('A,9,,,', `B,${cell},,,A`))).toEqual([
      { code: 'status', row: 3, column: 2, value: shown },
    ]);
  }); // biome-ignore format: values at a glance

  test.each(['0', '1', '2', '9', ' 9', '9 ', '\u30009', '"0"'])('is not needed beside %j', (value) => {
    expect(good(csv(`A,${value},,,`)).statuses).toEqual([value.replace(/[\s"]/g, '')]);
  });
});

describe('CSV-04 a missing quote at the first load', () => {
  test('refuses the file with the line where the quote was opened', () => {
    expect(problemsOf(csv('A,9,,,', '"B,9,,,A', 'C,9,,,B', 'D,9,,,C'))).toEqual([
      { code: 'csv', fault: { kind: 'quote-open', line: 3 } },
    ]);
  });

  test('refuses the file when another quote closes it in a later name', () => {
    expect(problemsOf(csv('A,9,,,', '"B,9,,,A', '"C",9,,,B'))).toEqual([
      { code: 'csv', fault: { kind: 'quote-open', line: 3 } },
    ]);
  });

  test('refuses the file when it swallows rows into a name', () => {
    expect(problemsOf(csv('A,9,,,', '"B,9,,,A', 'C",9,,,'))).toMatchObject([
      { code: 'name', row: 3, column: 1, fault: { kind: 'invisible', codePoint: 'U+000A' } },
    ]);
  });

  test('refuses the file when it swallows rows into a status', () => {
    expect(problemsOf(csv('A,"9,,,', 'B,9",,,'))).toMatchObject([{ code: 'status', row: 2, column: 2 }]);
  });

  test.each([
    ['a start time', 'A,0,"2026/11/30 01:00:00,,', 'B,9,2026/11/30 02:00:00",,', 2],
    ['an end time', 'A,0,,"2026/11/30 01:00:00,', 'B,9,,2026/11/30 02:00:00",', 2],
  ])('refuses the file when it swallows rows into %s', (_, first, second, line) => {
    expect(problemsOf(csv(first, second, 'C,9,,,A'))).toEqual([
      { code: 'csv', fault: { kind: 'quote-open', line } },
    ]);
  });

  test('refuses the file when it swallows rows into a predecessor', () => {
    expect(problemsOf(csv('A,9,,,', 'B,9,,,"A', 'C,9,,,B"'))).toMatchObject([
      { code: 'unknown-predecessor', row: 3, column: 5, job: 'B' },
    ]);
  });

  test('does not refuse a text of several lines in a column of somebody else', () => {
    expect(good('job,status,note\nA,9,"one\ntwo"\nB,9,\n').net.names).toEqual(['A', 'B']);
  });
});

describe('CSV-11 rows without content', () => {
  test.each([
    ['only commas, a blank line, commas at the end', ['A,0,,,', ',,,,', '', 'B,9,,,A', ',,,,']],
    ['blank lines at the end', ['A,0,,,', 'B,9,,,A', '', '', '']],
    ['blanks and full-width blanks', ['A,0,,,', '  , \u3000,,', 'B,9,,,A']],
    ['quoted empty cells', ['A,0,,,', '"","",,', 'B,9,,,A']],
    ['more commas than columns', ['A,0,,,,,,,,', ',,,,,,,,,,', 'B,9,,,A,,,,,']],
  ])('are ignored: %s', (_, rows) => {
    expect(good(csv(...rows)).net.names).toEqual(['A', 'B']);
  });

  test('count as rows in messages', () => {
    expect([...good(csv('A,0,,,', ',,,,', '', 'B,9,,,A')).net.rows]).toEqual([2, 5]);
  });

  test.each([
    ['a status', ',9,,,', 1],
    ['a time', ',,2026/11/30,,', 1],
    ['a predecessor', ' ,,,,A', 1],
  ])('are told from a row without a name that has %s', (_, row, column) => {
    expect(problemsOf(csv('A,0,,,', row))).toEqual([{ code: 'name-missing', row: 3, column }]);
  });

  test('are told from Ctrl-Z at the end of a DOS file', () => {
    expect(problemsOf(`${csv('A,0,,,')}\u001a`)).toEqual([
      { code: 'name', row: 3, column: 1, name: '\u001a', fault: { kind: 'invisible', codePoint: 'U+001A' } },
    ]);
  });

  test.each([
    ['an empty file', ''],
    ['a byte-order mark only', '\ufeff'],
    ['blank lines only', '\n\r\n\n'],
    ['rows of commas only', ',,,\n,,,\n'],
    ['a header only', 'job,status,stime,etime,prev1\n'],
    ['a header without a line end', 'job,status'],
    ['a header and rows without content', 'job,status,prev1\n,,\n\n'],
  ])('are never "all done" when there is nothing else: %s', (_, text) => {
    expect(problemsOf(text)).toEqual([{ code: 'no-jobs' }]);
  });
});

describe('CSV-12 marks of CSV inside a name', () => {
  const text = 'job,status,prev1\n"A\nB",9,\n"x,y",9,"A\nB"\n"say ""hi""",9,"x,y"\n';

  test('are read as they are: a line break is refused by the rule on names, with its row', () => {
    expect(problemsOf(text)).toEqual([
      { code: 'name', row: 2, column: 1, name: 'A\nB', fault: { kind: 'invisible', codePoint: 'U+000A' } },
    ]);
  });

  test.each([
    ['CR', '\r', 'U+000D'],
    ['CRLF', '\r\n', 'U+000D'],
    ['tab', '\t', 'U+0009'],
    ['vertical tab', '\v', 'U+000B'],
    ['line separator', '\u2028', 'U+2028'],
    ['escape', '\u001b', 'U+001B'],
  ])('are refused when they are control characters: %s', (_, mark, codePoint) => {
    expect(problemsOf(`job,status\n"A${mark}B",9\n`)).toMatchObject([
      { code: 'name', row: 2, column: 1, fault: { kind: 'invisible', codePoint } },
    ]);
  });

  test('are allowed when they are commas and quotes', () => {
    const sheet = good('job,status,prev1\n"x,y",9,\n"say ""hi""",9,"x,y"\n');
    expect(predecessorsOf(sheet)).toEqual({ 'x,y': [], 'say "hi"': ['x,y'] });
  });

  test('count as one row, however many lines they take', () => {
    expect([...good('job,status,note\nA,9,"1\n2\n3"\nB,9,\n').net.rows]).toEqual([2, 3]);
  });
});
