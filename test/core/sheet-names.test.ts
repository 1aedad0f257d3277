import { describe, expect, test } from 'vitest';
import { csv, good, predecessorsOf, problemsOf } from './sheets.js';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

describe('LAU-07 names that a shell would read', () => {
  test.each(['month end', 'a;touch PWNED', '$(touch PWNED)', '`id`', 'it\'s "x"', '*', '日次 集計', 'a|b', 'a&b', '~',
    'a>b', '$HOME', '!x', '%s', 'a\\b', '{a,b}', '[a]', '?'])('are names like any other: %s', (name) => {
    const sheet = good(csv(`${quoted(name)},9,,,`, `next,9,,,${quoted(name)}`));
    expect(predecessorsOf(sheet)).toEqual({ [name]: [], next: [name] });
  }); // biome-ignore format: values at a glance

  test.each(['-n', '--help', '-'])('are refused when they begin as an option does: %s', (name) => {
    expect(problemsOf(csv('a,9,,,', `${name},9,,,`))).toEqual([
      { code: 'name', row: 3, column: 1, name, fault: { kind: 'first-character', character: '-' } },
    ]);
  });
});

describe('LAU-08 names that walk out of the folder', () => {
  test.each([
    ['../outside', { kind: 'slash' }],
    ['sub/../../outside', { kind: 'slash' }],
    ['/absolute', { kind: 'slash' }],
    ['a/b', { kind: 'slash' }],
    ['..\\outside', { kind: 'first-character', character: '.' }],
    ['.', { kind: 'first-character', character: '.' }],
    ['..', { kind: 'first-character', character: '.' }],
    ['.ssh', { kind: 'first-character', character: '.' }],
    ['a\0b', { kind: 'invisible', codePoint: 'U+0000' }],
    ['\0', { kind: 'invisible', codePoint: 'U+0000' }],
  ])('are refused with row and reason: %j', (name, fault) => {
    expect(problemsOf(csv('a,9,,,', `${quoted(name)},9,,,`))).toEqual([
      { code: 'name', row: 3, column: 1, name, fault },
    ]);
  });
});

describe('SEC-04 names that a spreadsheet would calculate', () => {
  test.each(['=1+2', '-CLEAN', '+X', '@Y', '=HYPERLINK("x")', '=cmd|x'])(
    'are refused and never altered: %s',
    (name) => {
      expect(problemsOf(csv(`${quoted(name)},9,,,`))).toEqual([
        {
          code: 'name',
          row: 2,
          column: 1,
          name,
          fault: { kind: 'first-character', character: name.charAt(0) },
        },
      ]);
    },
  );

  test('are refused behind blanks as well, which are trimmed', () => {
    expect(problemsOf(csv(' =1+2,9,,,'))).toMatchObject([{ code: 'name', name: '=1+2' }]);
  });
});

describe('GRA-01 a name given twice', () => {
  test('refuses the net and names both rows', () => {
    expect(problemsOf('job,status,prev1\nLOAD,9,\nLOAD,9,CHECK\nCHECK,9,\nSEND,9,LOAD\n')).toEqual([
      { code: 'name-repeated', row: 3, column: 1, name: 'LOAD', first: 2, firstName: 'LOAD' },
    ]);
  });

  test.each([
    ['blanks around it', 'LOAD', ' LOAD ', 'LOAD'],
    ['a full-width blank behind it', 'LOAD', 'LOAD\u3000', 'LOAD'],
    ['letter case', 'LOAD', 'Load', 'Load'],
    ['letter case beyond ASCII', 'ＬＯＡＤ', 'ｌｏａｄ', 'ｌｏａｄ'],
    ['quotes around the cell', 'LOAD', '"LOAD"', 'LOAD'],
  ])('is one that differs only by %s', (_, first, second, name) => {
    expect(problemsOf(csv(`${first},9,,,`, `${second},9,,,`))).toEqual([
      { code: 'name-repeated', row: 3, column: 1, name, first: 2, firstName: first },
    ]);
  });

  test.each([
    ['composed first', 'ガ', 'カ\u3099'],
    ['decomposed first', 'カ\u3099', 'ガ'],
  ])('is one that differs only by its Unicode form: %s', (_, first, second) => {
    expect(problemsOf(csv(`${first},9,,,`, `${second},9,,,`))).toEqual([
      { code: 'name-repeated', row: 3, column: 1, name: 'ガ', first: 2, firstName: 'ガ' },
    ]);
  });

  test('is reported for every row after the first', () => {
    expect(problemsOf(csv('A,9,,,', 'a,9,,,', 'A,9,,,'))).toMatchObject([
      { row: 3, first: 2, firstName: 'A' },
      { row: 4, first: 2, firstName: 'A' },
    ]);
  });

  test('is reported in the column of the names, wherever that stands', () => {
    expect(problemsOf('status,job\n9,A\n9,A\n')).toMatchObject([
      { code: 'name-repeated', row: 3, column: 2 },
    ]);
  });

  test('is told from names that only begin alike', () => {
    expect(good(csv('LOAD,9,,,', 'LOAD2,9,,,', 'LOAD 2,9,,,')).net.names).toEqual([
      'LOAD',
      'LOAD2',
      'LOAD 2',
    ]);
  });
});

describe('CSV-06 blanks that look alike', () => {
  test.each([
    ['a full-width blank behind it', 'LOAD\u3000'],
    ['a full-width blank before it', '\u3000LOAD'],
    ['a no-break space', 'LOAD\u00a0'],
    ['a tab', '\tLOAD'],
  ])('are trimmed from a predecessor: %s', (_, cell) => {
    expect(predecessorsOf(good(csv('LOAD,9,,,', `SEND,9,,,${cell}`)))['SEND']).toEqual(['LOAD']);
  });

  test('make a predecessor unknown when they have no width', () => {
    expect(problemsOf(csv('LOAD,9,,,', 'SEND,9,,,LOAD\u200b'))).toMatchObject([
      { code: 'unknown-predecessor', row: 3, column: 5, nearest: 'LOAD' },
    ]);
  });

  test('make a name unusable when they have no width', () => {
    expect(problemsOf(csv('LOAD\u200b,9,,,'))).toMatchObject([
      { code: 'name', fault: { kind: 'invisible', codePoint: 'U+200B' } },
    ]);
  });
});

describe('CSV-13 composed and decomposed names', () => {
  test.each([
    ['a decomposed predecessor of a composed name', 'ガ', 'カ\u3099'],
    ['a composed predecessor of a decomposed name', 'カ\u3099', 'ガ'],
  ])('are one name: %s', (_, name, predecessor) => {
    expect(predecessorsOf(good(csv(`${name},9,,,`, `B,9,,,${predecessor}`)))).toEqual({ ガ: [], B: ['ガ'] });
  });

  test('stay as they are in the text', () => {
    expect(good(csv('カ\u3099,9,,,')).table.text).toContain('カ\u3099');
  });
});

describe('CSV-06 blanks that look like none', () => {
  const trimmed = (row: number, column: number, value: string) => ({ code: 'trimmed', row, column, value });

  test.each([
    ['full-width, behind', '\u3000', (name: string, blank: string) => name + blank],
    ['full-width, in front', '\u3000', (name: string, blank: string) => blank + name],
    ['no-break, behind', '\u00a0', (name: string, blank: string) => name + blank],
    ['no-break, in front', '\u00a0', (name: string, blank: string) => blank + name],
  ])('are taken off a name and a predecessor, and said: %s', (_, blank, put) => {
    const sheet = good(csv(`${put('LOAD', blank)},9,,,`, `SEND,9,,,${put('LOAD', blank)}`));
    expect(predecessorsOf(sheet)).toEqual({ LOAD: [], SEND: ['LOAD'] });
    expect(sheet.warnings).toEqual([trimmed(2, 1, 'LOAD'), trimmed(3, 5, 'LOAD')]);
  });

  test('are taken off the names of columns as well', () => {
    expect(good('\u3000job\u00a0,status\u3000,prev1\u3000\nA,9,\nB,9,A\n').net.names).toEqual(['A', 'B']);
  });

  test('plain blanks are taken off without a word', () => {
    const sheet = good(csv(' LOAD ,9,,,', 'SEND,9,,, LOAD '));
    expect(predecessorsOf(sheet)).toEqual({ LOAD: [], SEND: ['LOAD'] });
    expect(sheet.warnings).toEqual([]);
  });

  test('of no width are refused in a name, and make a predecessor that does not exist', () => {
    expect(problemsOf(csv('LOAD,9,,,', 'SEND\u200b,9,,,LOAD\u200b'))).toMatchObject([
      { code: 'name', row: 3, column: 1, fault: { kind: 'invisible', codePoint: 'U+200B' } },
      { code: 'unknown-predecessor', row: 3, column: 5, nearest: 'LOAD' },
    ]);
  });
});
