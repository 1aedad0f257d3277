/** A disk that answers what a test says; `vi.mock('node:fs', …)` of the test file puts it in the place of the real one. */
import type fs from 'node:fs';
import { onTestFinished } from 'vitest';

type Write = (fd: number, bytes: Buffer, offset: number, length: number, position: number) => number;

/** Instead of one write: it may write less, and may fail. */
export type WriteAnswer = (shorter: (length: number) => number) => number;

/** What the next calls answer; null: the real answer. */
const next = {
  writes: [] as (WriteAnswer | null)[],
  /** Of data. */
  syncs: [] as (Error | null)[],
  /** Of a file with its name, or of a folder. */
  folderSyncs: [] as (Error | null)[],
  opens: [] as (Error | null)[],
  truncates: [] as (Error | null)[],
};

export function steerDisk(): typeof next {
  onTestFinished(() => {
    for (const answers of Object.values(next)) answers.length = 0;
  });
  return next;
}

export const refused = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' });

export function steered(real: typeof fs): typeof fs {
  const write = real.writeSync as Write;
  return {
    ...real,
    writeSync: ((fd, bytes, offset, length, position) => {
      const shorter = (shortened: number) => write(fd, bytes, offset, shortened, position);
      const answer = next.writes.shift();
      return answer ? answer(shorter) : shorter(length);
    }) as Write as typeof real.writeSync,
    fdatasync: ((fd: number, done: (error: Error | null) => void) => {
      const error = next.syncs.shift();
      if (error) done(error);
      else real.fdatasync(fd, done);
    }) as typeof real.fdatasync,
    fsyncSync: (fd) => {
      const error = next.folderSyncs.shift();
      if (error) throw error;
      real.fsyncSync(fd);
    },
    ftruncateSync: (fd, length) => {
      const error = next.truncates.shift();
      if (error) throw error;
      real.ftruncateSync(fd, length);
    },
    openSync: (...args) => {
      const error = next.opens.shift();
      if (error) throw error;
      return real.openSync(...args);
    },
  };
}
