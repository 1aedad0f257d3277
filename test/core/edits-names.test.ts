/** Names that a spreadsheet has changed, as pairs of what went and what came. */
import { describe, expect, test } from 'vitest';
import { changedNames } from '../../src/core/changed-names.js';

describe('CSV-07 names that lost their leading zeros', () => {
  test.each([
    [['0010'], ['10'], [['0010', '10']]],
    [
      ['0010', '0020'],
      ['20', '10'],
      [
        ['0010', '10'],
        ['0020', '20'],
      ],
    ],
    [['007'], ['7'], [['007', '7']]],
    [['00'], ['0'], [['00', '0']]],
    [['0.50'], ['0.5'], [['0.50', '0.5']]],
    [['1.10'], ['1.1'], [['1.10', '1.1']]],
    [['12345678901234567890'], ['1.23456789012346E+19'], [['12345678901234567890', '1.23456789012346E+19']]],
  ])('%j to %j', (removed, added, pairs) => {
    expect(changedNames(removed, added)).toEqual(pairs);
  });
});

describe('CSV-08 names that look like dates or exponents', () => {
  test.each([
    ['3-1', '3月1日'],
    ['1-2', '1月2日'],
    ['1-2', '2-Jan'],
    ['1-2', '1-Feb'],
    ['MAR1', '1-Mar'],
    ['MAR1', '3月1日'],
    ['MAR01', 'Mar-01'],
    ['MARCH1', '1-Mar'],
    ['SEPT2', '2-Sep'],
    ['oct 2', '2-Oct'],
    ['1E10', '1.00E+10'],
    ['1E10', '10000000000'],
    ['0E36', '0'],
    ['0E36', '0.00E+00'],
    ['2026-3-1', '2026/3/1'],
    ['2026-03-01', '2026/3/1'],
    ['3-1', '2026/3/1'],
    ['3-1', '46082'],
    ['10-11-12', '2012/10/11'],
    ['3-1', '2026年3月1日'],
    ['9:30', '9:30:00'],
  ])('%s to %s', (before, after) => {
    expect(changedNames([before], [after])).toEqual([[before, after]]);
  });

  test('are told apart by the day that is in them', () => {
    const removed = ['3-1', '1-2', 'MAR5', '0010'];
    const added = ['10', '1月2日', '5-Mar', '3月1日'];
    expect(changedNames(removed, added)).toEqual([
      ['3-1', '3月1日'],
      ['1-2', '1月2日'],
      ['MAR5', '5-Mar'],
      ['0010', '10'],
    ]);
  });

  test('are shown with any date that came when no day shows', () => {
    expect(changedNames(['7-8'], ['2026/3/1'])).toEqual([['7-8', '2026/3/1']]);
  });
});

describe('no change by a spreadsheet', () => {
  test.each([
    ['a row that was removed', ['0010'], []],
    ['a row that was added', [], ['10', '3月1日']],
    ['a renamed job', ['LOAD'], ['LOAD2']],
    ['another number', ['0010'], ['11']],
    ['a number beside a date', ['3-1'], ['100']],
    ['a name that only begins like a month', ['MARKET'], ['1-Mar']],
    ['a date that takes the place of a word', ['LOAD'], ['3月1日']],
    ['numbers with letters behind them', ['001A'], ['1A']],
  ])('%s', (_, removed, added) => {
    expect(changedNames(removed, added)).toEqual([]);
  });

  test('is named of more than twenty pairs', () => {
    const numbers = Array.from({ length: 50 }, (_, index) => String(index + 1));
    expect(
      changedNames(
        numbers.map((number) => `00${number}`),
        numbers,
      ),
    ).toHaveLength(20);
  });
});
