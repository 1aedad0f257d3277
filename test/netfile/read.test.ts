import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { localTime } from '../../src/netfile/localtime.js';
import { readNetFile } from '../../src/netfile/read.js';
import { tempFolder } from '../contract/temp-folder.js';

describe('reading a file', () => {
  test('gives its sheet', () => {
    const file = path.join(tempFolder(), 'jobnet.csv');
    writeFileSync(file, '\ufeffjob,status\r\n日次,9\r\n');
    const result = readNetFile(file);
    expect(result.kind === 'good' && result.sheet.net.names).toEqual(['日次']);
  });

  test('says that it is neither UTF-8 nor CP932', () => {
    const file = path.join(tempFolder(), 'jobnet.csv');
    writeFileSync(file, Buffer.from([0x93, 0xfa, 0x8e]));
    expect(readNetFile(file)).toEqual({ kind: 'bad', problems: [{ code: 'encoding', found: 'unknown' }] });
  });

  test('throws what the system says when there is no file', () => {
    expect(() => readNetFile(path.join(tempFolder(), 'none.csv'))).toThrow('ENOENT');
  });
});

describe('a time in the file', () => {
  test('is that of the machine, to the second, with two digits everywhere', () => {
    expect(localTime(new Date(2026, 0, 2, 3, 4, 5, 999).getTime())).toBe('2026/01/02 03:04:05');
  });

  test('is right in the last second of a year', () => {
    expect(localTime(new Date(2026, 11, 31, 23, 59, 59).getTime())).toBe('2026/12/31 23:59:59');
  });
});
