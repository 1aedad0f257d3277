import { describe, expect, test } from 'vitest';
import { encodeLine, FORMAT } from '../../src/journal/lines.js';
import { tempFolder } from '../contract/temp-folder.js';
import { rerun } from './events.js';
import { damageOf, partText, sealedFolder, writePart } from './parts.js';

describe('damage is reported with file and line', () => {
  const broken = (text: string, at: number) => `${text.slice(0, at)}#${text.slice(at + 1)}`;

  test('in the middle of the newest part', () => {
    const { folder, newer } = sealedFolder();
    const { text, ends } = partText(8, { seal: null, seq: 1, jobs: ['x', 'y', 'z'] });
    writePart(folder, 8, 0, broken(text, ends[1]! + 5));
    expect([damageOf(folder), newer.ends.length]).toEqual([
      { file: '00000008.jsonl', line: 3, fault: 'broken-line' },
      2,
    ]);
  });

  test('in the seal line of the newest part, when whole lines follow', () => {
    const { folder, newer } = sealedFolder();
    writePart(folder, 8, 0, broken(newer.text, 5));
    expect(damageOf(folder)).toEqual({ file: '00000008.jsonl', line: 1, fault: 'broken-line' });
  });

  test('in a part without a seal line', () => {
    const folder = tempFolder();
    writePart(folder, 7, 0, encodeLine(1, 0, rerun('a')));
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 1, fault: 'broken-line' });
  });

  test.each([
    ['the seal line', 0, 1],
    ['the first event', 1, 2],
  ])('before the seal of an older part: %s', (_, index, line) => {
    const { folder, older } = sealedFolder();
    const begin = index === 0 ? 0 : older.ends[index - 1]!;
    writePart(folder, 7, 0, broken(older.text, begin + 5));
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line, fault: 'broken-line' });
  });

  test.each([
    ['is shorter than its seal', (text: string, ends: readonly number[]) => text.slice(0, ends[1])],
    [
      'has lost a byte of its last sealed line',
      (text: string, ends: readonly number[]) => text.slice(0, ends[2]! - 1),
    ],
  ])('in an older part that %s', (_, shortened) => {
    const { folder, older } = sealedFolder();
    writePart(folder, 7, 0, shortened(older.text, older.ends));
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 3, fault: 'short' });
  });

  test('in an older part that is gone', () => {
    const folder = tempFolder();
    writePart(folder, 8, 0, partText(8, { seal: { epoch: 7, part: 0, bytes: 99 }, seq: 3 }).text);
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 1, fault: 'short' });
  });

  test('in a seal that ends inside a line', () => {
    const { folder, older } = sealedFolder();
    const seal = { epoch: 7, part: 0, bytes: older.ends[1]! + 3 };
    writePart(folder, 8, 0, partText(8, { seal, seq: 3 }).text);
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 3, fault: 'short' });
  });

  test.each([
    ['itself', { epoch: 8, part: 0, bytes: 1 }],
    ['a later part', { epoch: 8, part: 1, bytes: 1 }],
    ['a later epoch', { epoch: 9, part: 0, bytes: 1 }],
  ])('in a seal that names %s', (_, seal) => {
    const folder = tempFolder();
    writePart(folder, 8, 0, partText(8, { seal, seq: 1 }).text);
    expect(damageOf(folder)).toEqual({ file: '00000008.jsonl', line: 1, fault: 'sequence' });
  });
});

describe('a newer format is refused', () => {
  test('in the newest part', () => {
    const folder = tempFolder();
    writePart(folder, 7, 0, partText(7, { format: FORMAT + 1, jobs: ['a'] }).text);
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 1, fault: 'newer-format' });
  });

  test('although lines of an unknown shape follow', () => {
    const folder = tempFolder();
    writePart(folder, 7, 0, `${partText(7, { format: FORMAT + 1 }).text}of another shape\n`);
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 1, fault: 'newer-format' });
  });

  test('in an older part', () => {
    const folder = tempFolder();
    const older = partText(7, { format: FORMAT + 1 });
    writePart(folder, 7, 0, older.text);
    writePart(folder, 8, 0, partText(8, { seal: { epoch: 7, part: 0, bytes: older.ends[0]! }, seq: 2 }).text);
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line: 1, fault: 'newer-format' });
  });
});
