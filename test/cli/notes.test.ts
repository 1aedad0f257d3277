/** What `jobnet check` notices in names before a spreadsheet has changed them. */
import { describe, expect, test } from 'vitest';
import { notesOnName } from '../../src/cli/check/notes.js';

describe('a name that a spreadsheet would change is noticed', () => {
  test.each(['0010', '007', '00', '12345678901234567890', '1.10'])('CSV-07 as a number: %s', (name) => {
    expect(notesOnName(name)).toEqual(['name-like-number']);
  });

  test.each(['1E10', '0E36', '1e5'])('CSV-08 as an exponent: %s', (name) => {
    expect(notesOnName(name)).toEqual(['name-like-number']);
  });

  test.each(['3-1', '1-2', 'MAR1', 'MARCH1', 'SEPT2', 'oct 2', '2026-3-1', '10-11-12', '9:30'])(
    'CSV-08 as a date or a time: %s',
    (name) => {
      expect(notesOnName(name)).toEqual(['name-like-date']);
    },
  );

  test.each(['J0010', 'J3-1', '10', 'E10', '締め処理'])('and no other one: %s', (name) => {
    expect(notesOnName(name)).toEqual([]);
  });
});
