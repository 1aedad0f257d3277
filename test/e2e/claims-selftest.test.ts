/** `jobnet lock selftest`: whether a folder can be trusted. */
import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { hasOverlap } from '../../src/claim/selftest.js';
import type { Files } from '../../src/claim/steps.js';
import { lockSelftest } from '../../src/cli/commands/claims/selftest.js';
import { createContext } from '../../src/cli/context.js';
import { tempFolder } from '../contract/temp-folder.js';
import { createClaimsBench } from './claims-bench.js';

describe('a folder', () => {
  test('on a local disk can be trusted: exit 0, and nothing is left in it', async () => {
    const bench = createClaimsBench();
    const { code, out } = await bench.run(['lock', 'selftest', '.']);
    expect([code, readdirSync(bench.folder)]).toEqual([0, []]);
    expect(out).toContain(`${bench.folder} can be trusted`);
    expect(out).toContain('100 at once, never two');
  });

  test('that may not be written is exit 4 and named', async () => {
    const bench = createClaimsBench();
    chmodSync(bench.folder, 0o555);
    const { code, err } = await bench.run(['lock', 'selftest', '.'], { isOrdinary: true });
    chmodSync(bench.folder, 0o755);
    expect([code, err]).toEqual([4, `${bench.folder} cannot be used (EACCES)\n`]);
  });

  test('that is not there is exit 4 and named', async () => {
    const bench = createClaimsBench();
    const { code, err } = await bench.run(['lock', 'selftest', 'none']);
    expect([code, err]).toEqual([4, `${path.join(bench.folder, 'none')} cannot be used (ENOENT)\n`]);
  });
});

describe('a file system that answers wrongly is exit 1, in words', () => {
  const twice: Files['link'] = (from, to) => {
    copyFileSync(from, to);
    return true;
  };
  const never: Files['link'] = () => false;

  test.each<[string, Partial<Files>, string]>([
    ['a name that is given to two', { link: twice }, 'it gave one name to two'],
    ['a name that is given to nobody', { link: never }, 'it gave one name to two'],
    ['a listing of before', { list: () => [] }, 'a new name was not in the next listing'],
    ['a replacement that is none', { rename: () => true }, 'a file was not replaced as a whole'],
    ["another's content", { read: () => 'other' }, 'a name appeared with another content'],
  ])('%s', async (_, changes, said) => {
    const folder = tempFolder();
    const context = createContext('en');
    await expect(lockSelftest(context, folder, { ...DISK, ...changes })).rejects.toMatchObject({
      exitCode: 1,
      lines: [expect.stringContaining(said)],
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('two holders', () => {
  test.each([
    ['two at once', '+ 1\n+ 2\n- 1\n- 2\n', true],
    ['a number again', '+ 2\n- 2\n+ 2\n- 2\n', true],
    ['a lower number', '+ 2\n- 2\n+ 1\n- 1\n', true],
    ['an end of another', '+ 1\n- 2\n', true],
    ['one after the other', '+ 1\n- 1\n+ 3\n- 3\n', false],
  ])('%s', (_, record, isOverlap) => {
    expect(hasOverlap(record)).toBe(isOverlap);
  });
});
