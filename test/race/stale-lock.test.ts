/** Locks whose owner is gone, or not yet known: the usual recipe beside ours, halted at the same place. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bid } from '../../src/claim/bid.js';
import { acquireClaim, claimHolder } from '../../src/claim/claim.js';
import { DISK } from '../../src/claim/disk.js';
import { runSteps } from '../../src/claim/steps.js';
import { DEAD, recordOf, writeRecord } from '../claim/records.js';
import { tempFolder } from '../contract/temp-folder.js';
import { everyCrash, everyHalt, program, walk } from './halting.js';
import { takeLock } from './ours.js';
import { releaseMkdirLock, takeMkdirLock } from './recipes/mkdir-lock.js';

/** No pid of this system: above its greatest. */
const DEAD_PID = 99_999_999;
const ours = (folder: string) => program(takeLock(folder), DISK);
const take = (folder: string) => runSteps(takeLock(folder), DISK);

function recipeLock(pid: string | null): string {
  const folder = path.join(tempFolder(), 'lock');
  mkdirSync(folder);
  if (pid !== null) writeFileSync(path.join(folder, 'pid'), pid);
  return folder;
}

function staleLock(): string {
  const folder = tempFolder();
  writeRecord(folder, '00000001', recordOf(DEAD));
  return folder;
}

const kinds = (...bids: Bid[]) => bids.map(({ kind }) => kind);

describe('LOC-01: two reclaimers of one stale lock', () => {
  test('the recipe: both hold it', () => {
    const folder = recipeLock(String(DEAD_PID));
    const first = walk(takeMkdirLock({ folder, pid: process.pid, isOld: false }));
    first.before('reclaim');
    const second = walk(takeMkdirLock({ folder, pid: process.pid, isOld: false })).end();
    expect([second, first.end()]).toEqual(['held', 'held']);
  });

  test('ours: the one that was halted between looking and acting finds it held', () => {
    const folder = staleLock();
    const first = walk(ours(folder));
    first.before('link 00000002');
    const second = take(folder);
    expect(kinds(second, first.end())).toEqual(['held', 'found']);
  });

  test('ours: at whatever operation one is halted, exactly one holds it', () => {
    const bids = everyHalt(() => {
      const folder = staleLock();
      return { first: ours(folder), other: () => take(folder) };
    });
    const held = bids.map((pair) => kinds(...pair).filter((kind) => kind === 'held').length);
    expect([held.length > 8, new Set(held)]).toEqual([true, new Set([1])]);
  });
});

describe('LOC-04: a lock that exists before its owner is written', () => {
  test('the recipe: one that is judged by its age is taken from its owner', () => {
    const folder = path.join(tempFolder(), 'lock');
    const first = walk(takeMkdirLock({ folder, pid: process.pid, isOld: false }));
    first.before('write pid');
    const second = walk(takeMkdirLock({ folder, pid: process.pid, isOld: true })).end();
    expect([second, first.end()]).toEqual(['held', 'held']);
  });

  test('the recipe: nobody gets it after a crash in between, until it is old', () => {
    const folder = recipeLock(null);
    expect(walk(takeMkdirLock({ folder, pid: process.pid, isOld: false })).end()).toBe('busy');
  });

  test('ours: a lock has its owner in it from its first moment', () => {
    const owners = everyCrash(() => {
      const folder = tempFolder();
      return { first: ours(folder), look: () => claimHolder(folder)?.owner.pid ?? null };
    });
    expect(new Set(owners)).toEqual(new Set([null, process.pid]));
  });

  test('ours: after a crash at whatever operation the next one holds at once', () => {
    const next = everyCrash(() => {
      const folder = tempFolder();
      const first = program(takeLock(folder, DEAD), DISK);
      return { first, look: () => acquireClaim(folder, 0).kind };
    });
    expect([next.length > 6, new Set(next)]).toEqual([true, new Set(['held'])]);
  });
});

describe('LOC-04: what stands where a pid should be', () => {
  test.each(['0'])('the recipe: "%s" is somebody who lives for ever', (text) => {
    const folder = recipeLock(text);
    expect(walk(takeMkdirLock({ folder, pid: process.pid, isOld: true })).end()).toBe('busy');
  });

  test.each(['', 'abc', '0', '12 34', '{}', '{"format":1,"pid":0}', '{"format":1,"pid":"12 34"}'])(
    'ours: a number with %j in it is nobody and not free: a person is told',
    (text) => {
      const folder = tempFolder();
      const file = path.join(folder, '00000001');
      writeFileSync(file, text);
      expect(() => acquireClaim(folder, 0)).toThrow(file);
    },
  );

  test('ours: a folder called pid in the place of locks is no lock', () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'pid'));
    expect(acquireClaim(folder, 0).kind).toBe('held');
  });

  test('ours: an empty folder in the place of a number is nobody and not free', () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, '00000001'));
    expect(() => acquireClaim(folder, 0)).toThrow(path.join(folder, '00000001'));
  });
});

describe("LOC-06: releasing somebody else's lock", () => {
  test('the recipe: one whose lock was taken over removes that of its successor', () => {
    const folder = recipeLock(null);
    expect(walk(takeMkdirLock({ folder, pid: process.pid, isOld: true })).end()).toBe('held');
    walk(releaseMkdirLock(folder)).end();
    expect(walk(takeMkdirLock({ folder, pid: process.pid, isOld: false })).end()).toBe('held');
  });

  test('ours: the lock of the successor stays, and a third one finds it', () => {
    const folder = tempFolder();
    const first = acquireClaim(folder, 0);
    writeRecord(folder, '00000001.released', { by: 'a person' });
    const second = acquireClaim(folder, 0);
    if (first.kind === 'held') first.claim.release();
    expect([second.kind, acquireClaim(folder, 0)]).toMatchObject([
      'held',
      { kind: 'busy', holder: { number: 2 } },
    ]);
  });
});
