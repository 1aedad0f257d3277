import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LINE_BYTES_MAX, leadingNuls, startOfTail } from '../../src/cli/view/log-places.js';

/** The descriptor of a file with this text. */
function opened(text: string): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobnet-test-'));
  const fd = openSync(path.join(folder, 'log'), 'w+');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  writeSync(fd, text);
  return fd;
}

describe('the last lines of a log', () => {
  const long = 'x'.repeat(70_000);
  test.each([
    ['none', 'a\nb\n', 0, ''],
    ['one', 'a\nb\n', 1, 'b\n'],
    ['one that is not ended', 'a\nb\nc', 1, 'c'],
    ['two', 'a\nb\nc', 2, 'b\nc'],
    ['as many as there are', 'a\nb\n', 2, 'a\nb\n'],
    ['more than there are', 'a\nb\n', 9, 'a\nb\n'],
    ['empty ones count', 'a\n\n\n', 2, '\n\n'],
    ['of an empty log', '', 3, ''],
    ['of a log of one line break', '\n', 1, '\n'],
    ['longer than a piece', `a\n${long}\n${long}\n`, 2, `${long}\n${long}\n`],
    ['with a break at the border of a piece', `a\n${'x'.repeat(65_535)}\n`, 1, `${'x'.repeat(65_535)}\n`],
    ['with a break just before a piece', `a\n${'x'.repeat(65_536)}`, 1, 'x'.repeat(65_536)],
  ])('%s', (_, text, lines, tail) => {
    expect(text.slice(startOfTail(opened(text), lines))).toBe(tail);
  });

  test('LOG-02 of one endless line are its last MBs, not the whole', () => {
    const fd = opened('x'.repeat(5 * LINE_BYTES_MAX));
    expect(startOfTail(fd, 1)).toBe(4 * LINE_BYTES_MAX);
    expect(startOfTail(fd, 2)).toBe(3 * LINE_BYTES_MAX);
  });
});

describe('NUL bytes at the beginning', () => {
  test.each([
    ['none', 'a\0', 0],
    ['some', '\0\0\0a', 3],
    ['nothing else', '\0\0', 2],
    ['an empty log', '', 0],
  ])('%s', (_, text, count) => {
    expect(leadingNuls(opened(text))).toBe(count);
  });

  test('LOG-03 over many pieces', () => {
    const fd = opened('');
    ftruncateSync(fd, 300_000);
    writeSync(fd, 'a', 300_000);
    expect(leadingNuls(fd)).toBe(300_000);
  });
});
