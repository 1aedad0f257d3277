import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMentionReader, parseRecord, parseRecords } from '../../src/executor/records.js';
import { tempFolder } from './support.js';

describe('a record', () => {
  test.each([
    { line: 'R 4711 ', record: { kind: 'R', code: 4711, id: '' } },
    { line: 'S 4711 J01.1', record: { kind: 'S', code: 4711, id: 'J01.1' } },
    { line: 'E 0 J01.1', record: { kind: 'E', code: 0, id: 'J01.1' } },
    { line: 'E 255 日次 集計 .12', record: { kind: 'E', code: 255, id: '日次 集計 .12' } },
    { line: 'X - J01.1', record: { kind: 'X', code: null, id: 'J01.1' } },
    { line: 'N - J01.1', record: { kind: 'N', code: null, id: 'J01.1' } },
    { line: 'F - J01.1', record: { kind: 'F', code: null, id: 'J01.1' } },
  ])('reads "$line"', ({ line, record }) => {
    expect(parseRecord(line)).toEqual(record);
  });

  test.each(['', ' ', 'E', 'E 0', 'E  0 J01.1', 'Q 0 J01.1', 'E x J01.1', 'E -1 J01.1', ' E 0 J01.1'])(
    'is none in "%s"',
    (line) => {
      expect(parseRecord(line)).toBeNull();
    },
  );
});

describe('records of a launcher', () => {
  test('end where the space behind them begins', () => {
    expect(parseRecords(`S 1 J.1\nE 0 J.1\n${' '.repeat(99)}`).map(({ kind }) => kind)).toEqual(['S', 'E']);
  });

  test('do not hold one that was torn off', () => {
    expect(parseRecords(`S 1 J.1\nE 1${' '.repeat(99)}`).map(({ kind }) => kind)).toEqual(['S']);
  });

  test('are none in a file without one', () => {
    expect(parseRecords(' '.repeat(99))).toEqual([]);
  });
});

describe('mentions', () => {
  test('bring together what all launchers of a run say of an attempt', () => {
    const exits = tempFolder();
    writeFileSync(path.join(exits, '3-1'), 'R 11 \nS 11 J.1\n   ');
    writeFileSync(path.join(exits, '4-1'), 'R 22 \nX - J.1\n   ');
    const said = createMentionReader(exits)()
      .byAttempt.get('J.1')!
      .map(({ launcher, record }) => `${launcher} ${record.kind}`);
    expect(said.sort()).toEqual(['3-1 S', '4-1 X']);
  });

  test('come from records files only', () => {
    const exits = tempFolder();
    writeFileSync(path.join(exits, 'launchers.err'), 'E 0 J.1\n');
    writeFileSync(path.join(exits, '3-1.life'), 'E 0 J.1\n');
    expect(createMentionReader(exits)().byAttempt.size).toBe(0);
  });

  test('say nothing of a launcher that only became ready', () => {
    const exits = tempFolder();
    writeFileSync(path.join(exits, '3-1'), 'R 11 \n   ');
    expect(createMentionReader(exits)().byAttempt.size).toBe(0);
  });
});
