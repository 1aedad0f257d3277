import { describe, expect, test } from 'vitest';
import { foldedName, nameFault, nearestName, normalName, trimCell } from '../../src/core/names.js';

describe('the one trimming rule', () => {
  test.each([
    ['blank', ' LOAD '],
    ['tab', '\tLOAD\t'],
    ['full-width blank', '\u3000LOAD\u3000'],
    ['no-break space', '\u00a0LOAD\u00a0'],
    ['byte-order mark', '\ufeffLOAD'],
    ['line end', '\r\nLOAD\r\n'],
  ])('takes away a %s at either end', (_, cell) => {
    expect(trimCell(cell)).toBe('LOAD');
  });

  test('leaves blanks inside', () => {
    expect(trimCell(' 日次 集計\u3000日報 ')).toBe('日次 集計\u3000日報');
  });

  test('leaves a zero-width space, which names then refuse', () => {
    expect(trimCell('LOAD\u200b')).toBe('LOAD\u200b');
  });
});

describe('CSV-13 a normal name', () => {
  test('is composed, whatever the file has', () => {
    expect(normalName(' カ\u3099ス集計 ')).toBe('ガス集計');
  });

  test('stays as it is when it is composed already', () => {
    expect(normalName('ガス集計')).toBe('ガス集計');
  });

  test('does not lose the difference of full and half width', () => {
    expect(normalName('ｶﾞｽ')).toBe('ｶﾞｽ');
  });
});

describe('a name', () => {
  test.each([
    'J01',
    '日次 集計',
    'a,b',
    'say "hi"',
    "it's",
    'a-b.c',
    '_x',
    '#1',
    '*',
    '髙橋',
    'é',
    '😀',
    '9',
    '~x',
  ])('may be %s', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  test.each([
    ['NUL', 'a\0b', 'U+0000'],
    ['line feed', 'a\nb', 'U+000A'],
    ['delete', 'a\u007fb', 'U+007F'],
    ['C1 control', 'a\u0085b', 'U+0085'],
    ['soft hyphen', 'a\u00adb', 'U+00AD'],
    ['zero-width space', 'a\u200bb', 'U+200B'],
    ['zero-width joiner', 'a\u200db', 'U+200D'],
    ['right-to-left override', 'a\u202eb', 'U+202E'],
    ['word joiner', 'a\u2060b', 'U+2060'],
    ['byte-order mark inside', 'a\ufeffb', 'U+FEFF'],
    ['line separator', 'a\u2028b', 'U+2028'],
    ['paragraph separator', 'a\u2029b', 'U+2029'],
    ['variation selector', '辻\ufe00', 'U+FE00'],
    ['variation selector beyond the first plane', '辻\u{e0100}', 'U+E0100'],
    ['tag', 'a\u{e0041}', 'U+E0041'],
    ['Hangul filler', '\u3164', 'U+3164'],
    ['half-width Hangul filler', 'a\uffa0', 'U+FFA0'],
    ['grapheme joiner', 'a\u034fb', 'U+034F'],
  ])('has nothing that cannot be seen: %s', (_, name, codePoint) => {
    expect(nameFault(name)).toEqual({ kind: 'invisible', codePoint });
  });

  test.each(['a/b', '/absolute', 'sub/../../outside', '/'])('has no slash: %s', (name) => {
    expect(nameFault(name)).toEqual({ kind: 'slash' });
  });

  test.each([
    ['-n', '-'], ['.', '.'], ['..', '.'], ['.hidden', '.'], ['..\\outside', '.'], ['=1+2', '='], ['+X', '+'],
    ['@Y', '@'], ['-CLEAN', '-'],
  ])('does not begin with a mark that a shell or a spreadsheet obeys: %s', (name, character) => {
    expect(nameFault(name)).toEqual({ kind: 'first-character', character });
  }); // biome-ignore format: values at a glance

  test('is not "Start"', () => {
    expect(nameFault('Start')).toEqual({ kind: 'reserved' });
  });

  test.each(['start', 'START', 'Start2', 'ReStart'])('may be %s, which is another word', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  test.each([
    ['ASCII', 'a'.repeat(200)],
    ['Japanese', `${'あ'.repeat(66)}ab`],
    ['beyond the first plane', '😀'.repeat(50)],
  ])('may be 200 bytes long: %s', (_, name) => {
    expect(nameFault(name)).toBeNull();
  });

  test.each([
    ['ASCII', 'a'.repeat(201)],
    ['two bytes a character', `${'é'.repeat(100)}a`],
    ['Japanese', 'あ'.repeat(67)],
    ['beyond the first plane', `${'😀'.repeat(50)}a`],
  ])('is not longer than 200 bytes: %s', (_, name) => {
    expect(nameFault(name)).toEqual({ kind: 'too-long', bytes: 201 });
  });
});

describe('names that differ only in case', () => {
  test.each([
    ['LOAD', 'load'],
    ['Ｌｏａｄ', 'ｌＯＡＤ'],
    ['STRASSE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['ÉTÉ', 'été'],
    ['ſtatus', 'status'],
  ])('are one name to some file systems: %s and %s', (one, other) => {
    expect(foldedName(one)).toBe(foldedName(other));
  });

  test.each([
    ['LOAD', 'LOAD1'],
    ['ガ', 'カ'],
    ['は', 'ハ'],
    ['é', 'e'],
  ])('are told from different ones: %s and %s', (one, other) => {
    expect(foldedName(one)).not.toBe(foldedName(other));
  });
});

describe('the nearest name', () => {
  const known = ['Start', 'LOAD', 'CHECK', 'SEND_REPORT', '日次集計', 'J1'];

  test.each([
    ['LAOD', 'LOAD'],
    ['LOD', 'LOAD'],
    ['LOADX', 'LOAD'],
    ['LOAX', 'LOAD'],
    ['load', 'LOAD'],
    ['ＬＯＡＤ', 'LOAD'],
    ['start', 'Start'],
    ['Ｓｔａｒｔ', 'Start'],
    ['Strat', 'Start'],
    ['SENDREPROT', 'SEND_REPORT'],
    ['日次集系', '日次集計'],
    ['J2', 'J1'],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  test.each(['X', 'toString', 'NOTHING', '月次締め', 'SEND'])('is not guessed for %s', (name) => {
    expect(nearestName(name, known)).toBeNull();
  });

  test('is one that differs in case before one that differs in a letter', () => {
    expect(nearestName('ab1', ['ab2', 'AB1'])).toBe('AB1');
  });

  test('is the first of several that are equally near', () => {
    expect(nearestName('job3', ['job1', 'job2'])).toBe('job1');
  });

  test('is not the empty name', () => {
    expect(nearestName('a', [''])).toBeNull();
  });
});
