/** The journal on a disk that refuses writes: what was refused is written later, at the same place. */
import type fs from 'node:fs';
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { DiskFault } from '../../src/engine/ports.js';
import { refused, steerDisk, type WriteAnswer } from './disk.js';
import { rerun } from './events.js';
import { createWriterRig } from './writer-rig.js';

vi.mock('node:fs', async (importOriginal) => {
  const { steered } = await import('./disk.js');
  return steered(await importOriginal<typeof fs>());
});

const STEP_BYTES = 256 * 1024;

/** Writes so many bytes, and then no more. */
const fullAfter =
  (bytes: number, code = 'ENOSPC'): WriteAnswer =>
  (shorter) => {
    if (bytes > 0) shorter(bytes);
    throw refused(code);
  };

describe('a write that fails', () => {
  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES'])(
    'rejects the commit as a fault of the disk: %s',
    async (code) => {
      const { journal } = createWriterRig();
      journal.append([rerun('a')], 0);
      steerDisk().writes.push(fullAfter(0, code));
      await expect(journal.commit()).rejects.toThrow(DiskFault);
    },
  );

  test('is a fault of ours when the system says so', async () => {
    const { journal } = createWriterRig();
    journal.append([rerun('a')], 0);
    steerDisk().writes.push(fullAfter(0, 'EBADF'));
    await expect(journal.commit()).rejects.not.toBeInstanceOf(DiskFault);
  });

  test.each([
    ['wrote nothing', 0],
    ['wrote a part', 9],
  ])('is tried again with the same lines at the same place: it %s', async (_, written) => {
    const { journal, jobs } = createWriterRig();
    journal.append([rerun('a'), rerun('b')], 0);
    steerDisk().writes.push(fullAfter(written));
    await journal.commit().catch(() => {});
    journal.append([rerun('c')], 0);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b', 'c']);
  });

  test('is tried again as often as it fails', async () => {
    const { journal, jobs, parts } = createWriterRig();
    journal.append([rerun('a')], 0);
    steerDisk().writes.push(fullAfter(0), fullAfter(9), fullAfter(20), fullAfter(0));
    for (let time = 0; time < 4; time++) await expect(journal.commit()).rejects.toThrow('ENOSPC');
    await journal.commit();
    expect([jobs(), parts()]).toEqual([['a'], ['00000001.jsonl']]);
  });

  test('leaves a journal that can be read', async () => {
    const { journal, jobs } = createWriterRig();
    journal.append([rerun('a')], 0);
    await journal.commit();
    journal.append([rerun('b')], 0);
    steerDisk().writes.push(fullAfter(9, 'EIO'));
    await journal.commit().catch(() => {});
    expect(jobs()).toEqual(['a']);
  });

  test('that only was short is finished', async () => {
    const { journal, jobs } = createWriterRig();
    journal.append([rerun('a')], 0);
    steerDisk().writes.push((shorter) => shorter(5));
    await journal.commit();
    expect(jobs()).toEqual(['a']);
  });

  test('ahead of the data gives back the space that it has taken', async () => {
    const { journal, folder } = createWriterRig();
    journal.append([rerun('x'.repeat(STEP_BYTES))], 0);
    steerDisk().writes.push(fullAfter(100_000));
    await journal.commit().catch(() => {});
    expect(statSync(path.join(folder, '00000001.jsonl')).size).toBe(STEP_BYTES);
  });

  test('ahead of the data is tried again', async () => {
    const { journal, jobs } = createWriterRig();
    journal.append([rerun('x'.repeat(STEP_BYTES))], 0);
    steerDisk().writes.push(fullAfter(100_000));
    await journal.commit().catch(() => {});
    await journal.commit();
    expect(jobs()).toHaveLength(1);
  });
});

test('a look that the system refuses is made again, although everything is written', async () => {
  const { journal, jobs, looks, refuseLook } = createWriterRig();
  journal.append([rerun('a')], 0);
  refuseLook(refused('EMFILE'));
  await expect(journal.commit()).rejects.toThrow(DiskFault);
  await journal.commit();
  expect([jobs(), looks()]).toEqual([['a'], 2]);
});

test('a journal whose space cannot be given back is closed all the same', async () => {
  const { journal, jobs } = createWriterRig();
  journal.append([rerun('a')], 0);
  await journal.commit();
  steerDisk().truncates.push(refused('EIO'));
  await expect(journal.close()).resolves.toBeUndefined();
  expect(jobs()).toEqual(['a']);
});
