/** What one version of the file changes against another: rows, names, definitions, and what its times prove. */
import { describe, expect, test } from 'vitest';
import { type Around, editsBetween, type RowTexts } from '../../src/core/versions.js';
import type { Edits } from '../../src/core/words.js';
import { csv, good } from './sheets.js';

const T1 = '2026/11/30 12:00:01';
const T2 = '2026/11/30 12:05:02';
const T3 = '2026/11/30 13:00:00';
const BEGAN = '2026/11/30 11:59:59';

interface Known {
  /** What the state says of each job; as the known version, if it is not given. */
  readonly now?: Around['now'];
  readonly earlier?: readonly RowTexts[];
}

function between(known: string, next: string, { now, earlier = [] }: Known = {}): Edits {
  const sheet = good(known);
  return editsBetween(sheet, good(next), {
    now: now ?? ((_, row) => ({ ...row, status: sheet.statuses[0]! })),
    earlier: () => earlier,
    began: BEGAN,
  });
}

/** The edit of one row, from and to its first four cells without the name. */
const rowEdit = (from: string, to: string, around?: Known) =>
  between(csv(`a,${from},,`), csv(`a,${to},,`), around).rows[0];

describe('what the times of an edited row prove', () => {
  test.each([
    ['kept', `1,${T1},${T2}`, `0,${T1},${T2}`],
    ['kept', `1,${T1},${T2}`, '9,2026/11/30 12:00,2026/11/30 12:05'],
    ['kept', '9,,', '0,,'],
    ['kept', `2,${T1},`, `9,${T1},`],
    ['cleared', `1,${T1},${T2}`, '9,,'],
    ['cleared', `2,${T1},`, '9,,'],
    ['started', '9,,', `2,${T1},`],
    ['started', '9,,', `0,${T1},${T2}`],
    ['finished', `2,${T1},`, `0,${T1},${T2}`],
    ['finished', `2,${T1},`, `1,2026/11/30 12:00,${T2}`],
    ['other', `1,${T1},${T2}`, `0,${T1},${T3}`],
    ['other', `1,${T1},${T2}`, `0,${T1},`],
    ['other', `1,${T1},${T2}`, `9,,${T2}`],
    ['other', `0,${T1},${T2}`, `2,${T1},`],
    ['other', `2,${T1},`, `0,${T3},${T3}`],
    ['other', '9,,', '2,2026/11/30 10:00:00,'],
    ['other', '9,,', '0,2025/11/30 13:00:00,2025/11/30 13:00:00'],
    ['other', '9,,', '2,soon,'],
  ])('%s: %s to %s', (times, from, to) => {
    expect(rowEdit(from, to)).toEqual({ job: 'a', from: from[0], to: to[0], times });
  });

  test('a blank status is a 9', () => {
    expect(rowEdit(`1,${T1},${T2}`, `,${T1},${T2}`)).toMatchObject({ from: '1', to: '9', times: 'kept' });
  });

  test('a row without columns for times proves as much as it can', () => {
    expect(between('job,status\na,1\n', 'job,status\na,0\n').rows).toEqual([
      { job: 'a', from: '1', to: '0', times: 'kept' },
    ]);
  });

  test('blanks around the cells say nothing', () => {
    expect(rowEdit(`1,${T1},${T2}`, ` 0 , ${T1} ,\u3000${T2}`)).toMatchObject({ times: 'kept' });
  });
});

describe('a row as it was earlier in this run', () => {
  const earlier: RowTexts[] = [
    { status: '9', stime: '', etime: '' },
    { status: '1', stime: T1, etime: T2 },
    { status: '9', stime: T1, etime: T2 },
  ];

  test.each([
    ['a settled job that is abended again', `0,${T1},${T2}`, `1,${T1},${T2}`, 'other'],
    ['a job that waits again', '9,,', `1,${T1},${T2}`, 'other'],
    [
      'an attempt within the same minute',
      '0,2026/11/30 12:00:03,2026/11/30 12:05:04',
      `9,${T1},${T2}`,
      'other',
    ],
    ['the same, as a spreadsheet writes it', `0,${T3},${T3}`, '1,2026/11/30 12:00,2026/11/30 12:05', 'other'],
    ['a skipped job that waits again', '0,,', '9,,', 'cleared'],
    ['an abended one that waits again', `1,${T3},${T3}`, '9,,', 'cleared'],
  ])('is no proof: %s', (_, from, to, times) => {
    expect(rowEdit(from, to, { earlier })).toMatchObject({ times });
  });

  test.each([
    ['what the row never said', `0,${T1},${T2}`, `9,${T1},${T2}`, earlier.slice(0, 2), 'kept'],
    [
      'the times of an attempt within the same minute',
      `1,${T1},2026/11/30 12:05:03`,
      `0,${T1},2026/11/30 12:05:03`,
      earlier,
      'kept',
    ],
    ['a start after everything that was', '9,,', `2,${T3},`, earlier, 'started'],
  ])('is something else than %s', (_, from, to, rows, times) => {
    expect(rowEdit(from, to, { earlier: rows })).toMatchObject({ times });
  });

  test('makes a start before it a stale one', () => {
    expect(rowEdit('9,,', '2,2026/11/30 11:59:59,', { earlier })).toMatchObject({ times: 'other' });
  });
});

describe('no edit', () => {
  test.each([
    ['a time in another format', `1,${T1},${T2}`, '1,2026-11-30 12:00,2026-11-30 12:05'],
    ['a time that says nothing', `1,${T1},${T2}`, '1,11月30日,46024.13'],
    ['another time of a job that is over', `1,${T1},${T2}`, `1,${T3},${T3}`],
    ['a 9 instead of a blank', ',,', '9,,'],
  ])('is %s', (_, from, to) => {
    expect(rowEdit(from, to)).toBeUndefined();
  });

  test('is what the state says anyway: the file is behind', () => {
    const now = () => ({ status: '0', stime: T1, etime: T2 }) as const;
    expect(rowEdit('9,,', `0,${T1},${T2}`, { now })).toBeUndefined();
  });

  test('is what the state says anyway, whatever its times', () => {
    const now = () => ({ status: '0', stime: T1, etime: T2 }) as const;
    expect(rowEdit('9,,', '0,,', { now })).toBeUndefined();
  });
});

describe('a job that runs', () => {
  const now: Around['now'] = () => ({ status: '2', stime: T1, etime: '' });

  test('has no other start: that is an edit of nothing but times', () => {
    expect(rowEdit(`2,${T1},`, `2,${T3},`, { now })).toEqual({
      job: 'a',
      from: '2',
      to: '2',
      times: 'other',
    });
  });

  test('has no end yet', () => {
    expect(rowEdit(`2,${T1},`, `2,${T1},${T2}`, { now })).toMatchObject({ times: 'other' });
  });

  test('may have its start in another format', () => {
    expect(rowEdit(`2,${T1},`, '2,2026/11/30 12:00,', { now })).toBeUndefined();
  });

  test('may have been started outside, at a time that is not ours to say', () => {
    expect(rowEdit('2,,', `2,${T1},`, { now: (_, row) => row })).toBeUndefined();
  });
});

describe('rows', () => {
  const KNOWN = csv('a,9,,,,', 'b,9,,,a,', 'c,9,,,a,b');

  test.each([
    ['added', `${KNOWN}d,9,,,,\n`, { added: ['d'] }],
    ['removed', csv('a,9,,,,', 'b,9,,,a,'), { removed: ['c'] }],
    ['renamed', KNOWN.replace('c,9', 'd,9'), { added: ['d'], removed: ['c'] }],
    ['with another predecessor', KNOWN.replace('b,9,,,a,', 'b,9,,,,'), { redefined: ['b'] }],
    ['with one more predecessor', KNOWN.replace('a,9,,,,', 'a,9,,,,').replace('b,9,,,a,', 'b,9,,,a,a'), {}],
    ['with their predecessors in another order', KNOWN.replace('c,9,,,a,b', 'c,9,,,b,a'), {}],
    ['in another order', csv('c,9,,,a,b', 'b,9,,,a,', 'a,9,,,,'), {}],
    ['with Start instead of nothing', KNOWN.replace('a,9,,,,', 'a,9,,,Start,'), {}],
    ['with blank rows between them', KNOWN.replace('b,9', '\n,,,,,\nb,9'), {}],
  ])('%s', (_, next, expected) => {
    const { added, removed, redefined } = between(KNOWN, next);
    expect({ added, removed, redefined }).toEqual({ added: [], removed: [], redefined: [], ...expected });
  });

  test('with another command are redefined', () => {
    const known = 'job,status,command\na,9,ls\nb,9,\n';
    expect(between(known, known.replace('ls', 'pwd').replace('b,9,', 'b,9,date')).redefined).toEqual([
      'a',
      'b',
    ]);
  });

  test('in other columns and another encoding of their names are the same', () => {
    const next = good('memo,prev1,status,job\n,,9,カ\u3099ス\n');
    expect(editsBetween(good('job,status,prev1\nガス,9,\n'), next, { now: () => null, began: '' })).toEqual({
      rows: [],
      added: [],
      removed: [],
      redefined: [],
      known: 1,
      isCutOff: false,
    });
  });

  test('are counted as they were known', () => {
    expect(between(KNOWN, csv('a,9,,,,')).known).toBe(3);
  });

  test('that are new and say a status are no edit', () => {
    expect(between(KNOWN, `${KNOWN}d,0,x,y,,\n`, { now: () => null }).rows).toEqual([]);
  });

  test('that are back are an edit of what the state says', () => {
    const now: Around['now'] = (job, row) => (job === 'c' ? { status: '1', stime: T1, etime: T2 } : row);
    expect(
      between(csv('a,9,,,,', 'b,9,,,a,'), KNOWN.replace('c,9,,', `c,0,${T1},${T2}`), { now }).rows,
    ).toEqual([{ job: 'c', from: '1', to: '0', times: 'kept' }]);
  });
});

describe('WAT-02 a version that is cut off', () => {
  const KNOWN = csv('a,9,,,,', 'b,9,,,a,', 'LONG,9,,,b,a');
  const NO_END = KNOWN.slice(0, -1);
  const cutAt = (text: string) => KNOWN.slice(0, KNOWN.indexOf(text) + text.length);

  test.each([
    ['in the last row', cutAt('LONG,9')],
    ['in the last name', cutAt('LO')],
    ['in its last cell', cutAt('LONG,9,,,b,')],
    ['before its row', KNOWN.slice(0, KNOWN.indexOf('LONG') - 1)],
    ['in a new row', `${KNOWN}new,9`],
    ['with other rows gone', NO_END.replace('b,9,,,a,\n', '').replace('b,a', ',a')],
  ])('is one %s', (_, next) => {
    expect(between(KNOWN, next).isCutOff).toBe(true);
  });

  test.each([
    ['that has lost only its last line end', NO_END],
    ['that has an edit and has lost its last line end', NO_END.replace('a,9', 'a,0')],
    ['with a new row that is as long as others', `${KNOWN}new,9,,,,`],
    ['that has rows less and a whole end', KNOWN.slice(0, KNOWN.indexOf('LONG'))],
    ['with a blank row at its end', `${KNOWN},,,`],
  ])('is not one %s', (_, next) => {
    expect(between(KNOWN, next).isCutOff).toBe(false);
  });

  test.each([
    ['in a row', cutAt('LONG,9'), true],
    ['in a name', cutAt('LO'), true],
    ['between rows, as an editor would leave it', cutAt('b,9,,,a,'), false],
    ['nowhere: it has a new row', `${NO_END}\nnew,9,,,,`, false],
  ])('is told by what is missing where the file never had a last line end: %s', (_, next, isCutOff) => {
    expect(between(NO_END, next).isCutOff).toBe(isCutOff);
  });
});
