import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../src/host/durable.js';
import { tempFolder } from '../contract/temp-folder.js';

describe('a folder', () => {
  test('is made with all that is missing above it, and the topmost of these is named', () => {
    const base = tempFolder();
    expect(makeFolder(path.join(base, 'a/b/c'), 0o700)).toBe(path.join(base, 'a'));
    for (const folder of ['a', 'a/b', 'a/b/c'])
      expect(statSync(path.join(base, folder)).mode & 0o777).toBe(0o700);
    expect(makeFolder(path.join(base, 'a/b/c'))).toBeNull();
    expect(makeFolder(path.join(base, 'a/d'))).toBe(path.join(base, 'a/d'));
  });

  test('that cannot be is the error of the system', () => {
    const base = tempFolder();
    writeFileSync(path.join(base, 'file'), '');
    expect(() => makeFolder(path.join(base, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(path.join(base, 'file/a/b'))).toThrow('ENOTDIR');
    mkdirSync(path.join(base, 'there'));
    expect(makeFolder(path.join(base, 'there'))).toBeNull();
  });

  test.skipIf(process.platform !== 'linux')(
    'that a file system never makes does not hold the process',
    () => {
      expect(() => makeFolder('/proc/jobnet/a')).toThrow('ENOENT');
    },
  );
});
