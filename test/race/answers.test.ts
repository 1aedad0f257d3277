/** LOC-10: network file systems that answer late, twice or with what was. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOver, ownRecord, takeClaim } from '../../src/claim/claim.js';
import { DISK } from '../../src/claim/disk.js';
import { type Files, runSteps } from '../../src/claim/steps.js';
import { DEAD, namesOf, recordOf, writeRecord } from '../claim/records.js';
import { tempFolder } from '../contract/temp-folder.js';
import { candidate, createHost, writeFenced } from './ours.js';

const NUMBERED = /\d{8}$/;

/** The n-th answer of one operation on a numbered file is another one. */
function answering<K extends 'link' | 'read' | 'list'>(
  name: K,
  nth: number,
  answer: (real: () => ReturnType<Files[K]>) => ReturnType<Files[K]>,
): Files {
  let calls = 0;
  const real = DISK[name] as (...args: unknown[]) => ReturnType<Files[K]>;
  const other = (...args: unknown[]) => {
    if (name === 'read' && !NUMBERED.test(String(args[0]))) return real(...args);
    calls++;
    return calls === nth ? answer(() => real(...args)) : real(...args);
  };
  return { ...DISK, [name]: other };
}

const lost = (real: () => boolean) => {
  real();
  return false;
};
const take = (folder: string, files: Files) => takeClaim(folder, ownRecord(0), isOver, files);

function staleLock(): string {
  const folder = tempFolder();
  writeRecord(folder, '00000001', recordOf(DEAD));
  return folder;
}

describe('a name that was given and said to be taken', () => {
  test('is known by what is in it: a lock', () => {
    expect(take(tempFolder(), answering('link', 1, lost))).toMatchObject({ kind: 'held', number: 1 });
  });

  test('is known by what is in it: a lease', () => {
    const files = { ...createHost().files, link: answering('link', 1, lost).link };
    const look = runSteps(candidate(tempFolder(), 5000).look(), files);
    expect(look).toMatchObject({ kind: 'held', number: 1 });
  });

  test('is known by what is in it: a fenced write', () => {
    const target = path.join(tempFolder(), 'out');
    const made = runSteps(writeFenced(target, 1, 'new'), answering('link', 1, lost));
    expect([made.kind, readFileSync(target, 'utf8')]).toEqual(['written', 'new']);
  });
});

describe("a handle of another's record that is stale", () => {
  test('is no free lock: it is looked at again', () => {
    const folder = tempFolder();
    writeRecord(folder, '00000001', recordOf());
    expect(
      take(
        folder,
        answering('read', 1, () => null),
      ),
    ).toMatchObject({
      kind: 'found',
      found: { number: 1, life: 'alive' },
    });
  });

  test('does not hold up who takes a lock that is free', () => {
    expect(
      take(
        staleLock(),
        answering('read', 1, () => null),
      ),
    ).toMatchObject({ kind: 'held', number: 2 });
  });
});

describe('a listing of some seconds ago', () => {
  test('that misses a holder gives nothing away', () => {
    const folder = staleLock();
    writeRecord(folder, '00000002', recordOf());
    expect(
      take(
        folder,
        answering('list', 1, () => ['00000001']),
      ),
    ).toMatchObject({
      kind: 'found',
      found: { number: 2 },
    });
  });

  test('that misses the own bid is not believed, and nobody waits for himself', () => {
    const folder = staleLock();
    const taken = take(
      folder,
      answering('list', 2, () => ['00000001']),
    );
    expect([taken, namesOf(folder)]).toMatchObject([
      { kind: 'held', number: 3 },
      ['00000001', '00000002', '00000003'],
    ]);
  });
});

describe('an error on reading', () => {
  test('is neither a free lock nor a held one', () => {
    const folder = tempFolder();
    writeRecord(folder, '00000001', recordOf());
    const failing = answering('read', 1, () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' });
    });
    expect(() => take(folder, failing)).toThrow('EIO');
    expect(namesOf(folder)).toEqual(['00000001']);
  });
});
