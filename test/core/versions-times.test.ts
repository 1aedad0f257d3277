/** Times as spreadsheets write them: compared to the minute, and never rolled over. */
import { describe, expect, test } from 'vitest';
import { isEarlier, isSameMoment, isSameTime } from '../../src/core/cell-times.js';

const OURS = '2026/01/02 03:04:05';
const EVENING = '2026/11/30 23:59:58';

describe('CSV-09 the same minute', () => {
  test.each([
    '2026/01/02 03:04:05',
    '2026/01/02 03:04:59',
    '2026/01/02 03:04',
    '2026/1/2 3:04',
    '2026/1/2  3:04',
    ' 2026/1/2 3:04 ',
    '2026-01-02 03:04:05',
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05.678',
    '2026.01.02 03:04',
    '26/1/2 3:04',
    '26-01-02 03:04',
    '1/2/2026 3:04',
    '01/02/2026 03:04:05',
    '2/1/2026 03:04',
    '02.01.2026 03:04',
    '1/2/26 3:04 AM',
    '1/2/2026 3:04:05 am',
    '2026年1月2日 3:04',
    '2026年1月2日 3時04分',
    '2026年1月2日 3時4分5秒',
    '2026/1/2 午前3:04',
    '46024.1278',
    '46024.12783',
    '46024.127835648',
  ])('%s', (text) => {
    expect([isSameTime(OURS, text), isSameTime(text, OURS)]).toEqual([true, true]);
  });

  test.each([
    '2026/11/30 23:59',
    '30/11/2026 23:59',
    '11/30/26 11:59 PM',
    '2026/11/30 午後11:59',
    '46356.99998',
    '46356.9999',
  ])('in the evening: %s', (text) => {
    expect(isSameTime(EVENING, text)).toBe(true);
  });

  test.each([
    ['2026/01/02 12:04:00', '2026/1/2 12:04 PM'],
    ['2026/01/02 00:04:00', '1/2/2026 12:04 AM'],
  ])('around noon and midnight: %s, %s', (one, other) => {
    expect(isSameTime(one, other)).toBe(true);
  });

  test('of two blank cells, and of two that say the same nonsense', () => {
    expect([isSameTime('', ''), isSameTime('soon', 'soon')]).toEqual([true, true]);
  });
});

describe('CSV-09 another time, or no proof of one', () => {
  test.each([
    '',
    'soon',
    '2026/01/02 03:05:05',
    '2026/01/02 03:03',
    '2026/01/03 03:04:05',
    '2025/01/02 03:04:05',
    '2026/1/2 15:04',
    '1/2/2026 3:04 PM',
    '2026/1/2',
    '1月2日',
    '3:04',
    '46024',
    '46024.13',
    '46024.128',
    '46024.1286',
    '46023.1278',
    '2026/01/02 03:04 UTC',
    '2026/13/02 03:04',
    '２０２６/1/2 3:04',
  ])('%s', (text) => {
    expect([isSameTime(OURS, text), isSameTime(text, OURS)]).toEqual([false, false]);
  });

  test('is not made of a day that does not exist', () => {
    expect(isSameTime('2026/03/02 01:00:00', '2026/02/30 01:00')).toBe(false);
  });
});

describe('the same moment', () => {
  test.each([
    ['2026/01/02 03:04:05', true],
    ['2026-01-02 03:04:05', true],
    ['2026/1/2 3:04', true],
    ['2026/1/2 3:04:00', true],
    ['46024.1278', true],
    ['2026/01/02 03:04:06', false],
    ['2026/01/02 03:05', false],
    ['', false],
  ])('%s: %s', (text, isSame) => {
    expect(isSameMoment(text, OURS)).toBe(isSame);
  });

  test('is another one when the full minute is ours', () => {
    expect(isSameMoment('2026/01/02 03:04:30', '2026/01/02 03:04:00')).toBe(false);
  });
});

describe('an earlier time', () => {
  test.each([
    ['2026/1/2 3:03', OURS, true],
    ['2026/01/02 03:04:59', OURS, false],
    [OURS, '2026/1/2 3:04', false],
    ['2025/12/31 23:59', OURS, true],
    ['', OURS, true],
    ['soon', OURS, true],
    [OURS, '', false],
    ['', '', false],
  ])('%s before %s: %s', (one, other, isBefore) => {
    expect(isEarlier(one, other)).toBe(isBefore);
  });
});
