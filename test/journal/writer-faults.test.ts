/** The journal on a disk that fails. */
import type fs from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readJournal } from '../../src/journal/replay.js';
import { openJournal } from '../../src/journal/writer.js';
import { tempFolder } from '../contract/temp-folder.js';
import { rerun } from './events.js';

type Write = (fd: number, bytes: Buffer, offset: number, length: number, position: number) => number;

/** What the next calls answer instead of the system. */
const next = vi.hoisted(() => ({
  writes: [] as ((real: () => number, shorter: (length: number) => number) => number)[],
  syncs: [] as Error[],
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const write = real.writeSync as Write;
  return {
    ...real,
    writeSync: (fd: number, bytes: Buffer, offset: number, length: number, position: number) => {
      const answer = next.writes.shift();
      const shorter = (shortened: number) => write(fd, bytes, offset, shortened, position);
      return answer ? answer(() => shorter(length), shorter) : shorter(length);
    },
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      const error = next.syncs.shift();
      if (error) done(error);
      else real.fdatasync(fd, done);
    },
  };
});

beforeEach(() => {
  next.writes.length = 0;
  next.syncs.length = 0;
});

const failed = (code: string) => Object.assign(new Error(code), { code });

function createRig() {
  const folder = tempFolder();
  let looks = 0;
  const journal = openJournal({ folder, epoch: 1, seal: null, nextSeq: 1, at: 0, look: () => void looks++ });
  looks = 0;
  const jobs = () => readJournal(folder).records.map(({ event }) => 'job' in event && event.job);
  return { journal, jobs, looks: () => looks };
}

describe('a write that fails', () => {
  test('rejects the commit', async () => {
    const { journal } = createRig();
    journal.append([rerun('a')], 0);
    next.writes.push(() => {
      throw failed('ENOSPC');
    });
    await expect(journal.commit()).rejects.toThrow('ENOSPC');
  });

  test.each([
    ['wrote nothing', 0],
    ['wrote a part', 9],
  ])('is tried again with the same lines at the same place: it %s', async (_, written) => {
    const { journal, jobs } = createRig();
    journal.append([rerun('a'), rerun('b')], 0);
    next.writes.push((_real, shorter) => {
      if (written > 0) shorter(written);
      throw failed('ENOSPC');
    });
    await journal.commit().catch(() => {});
    journal.append([rerun('c')], 0);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b', 'c']);
  });

  test('leaves a journal that can be read', async () => {
    const { journal, jobs } = createRig();
    journal.append([rerun('a')], 0);
    await journal.commit();
    journal.append([rerun('b')], 0);
    next.writes.push((_real, shorter) => {
      shorter(9);
      throw failed('EIO');
    });
    await journal.commit().catch(() => {});
    expect(jobs()).toEqual(['a']);
  });

  test('that only was short is finished', async () => {
    const { journal, jobs } = createRig();
    journal.append([rerun('a')], 0);
    next.writes.push((_real, shorter) => shorter(5));
    await journal.commit();
    expect(jobs()).toEqual(['a']);
  });
});

describe('a sync that fails', () => {
  test('rejects the commit', async () => {
    const { journal } = createRig();
    journal.append([rerun('a')], 0);
    next.syncs.push(failed('EIO'));
    await expect(journal.commit()).rejects.toThrow('EIO');
  });

  test('is not followed by a look: there is nothing to act on', async () => {
    const { journal, looks } = createRig();
    journal.append([rerun('a')], 0);
    next.syncs.push(failed('EIO'));
    await journal.commit().catch(() => {});
    expect(looks()).toBe(0);
  });

  test('rejects every later commit as well', async () => {
    const { journal } = createRig();
    journal.append([rerun('a')], 0);
    next.syncs.push(failed('EIO'));
    await journal.commit().catch(() => {});
    await expect(journal.commit()).rejects.toThrow('EIO');
  });
});
