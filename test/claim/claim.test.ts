import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Acquired, acquireClaim, type Claim, claimHolder } from '../../src/claim/claim.js';
import { ownIdentity } from '../../src/host/identity.js';
import { tempFolder } from '../contract/temp-folder.js';
import { DEAD, namesOf, recordOf, writeRecord } from './records.js';

function claimOf(acquired: Acquired): Claim {
  if (acquired.kind === 'busy') throw new Error(`busy: ${JSON.stringify(acquired.holder)}`);
  return acquired.claim;
}

/** A folder in which the claims named are dead ones. */
function folderWithDead(...numbers: number[]): string {
  const folder = tempFolder();
  for (const number of numbers) writeRecord(folder, String(number).padStart(8, '0'), recordOf(DEAD));
  return folder;
}

describe('a claim', () => {
  test('begins at number 1 in a folder that was not there', () => {
    expect(claimOf(acquireClaim(path.join(tempFolder(), 'a', 'b'), 0)).number).toBe(1);
  });

  test('says who holds it', () => {
    const folder = tempFolder();
    acquireClaim(folder, 1234, { socket: '/run/x.sock' });
    const record = JSON.parse(readFileSync(path.join(folder, '00000001'), 'utf8'));
    expect(record).toEqual({
      format: 1,
      kind: 'process',
      ...ownIdentity(),
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      claimedAt: 1234,
      ttlMs: null,
      socket: '/run/x.sock',
    });
  });

  test('leaves nothing but its number', () => {
    const folder = tempFolder();
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000001']);
  });

  test('is busy while its owner lives, and says who that is', () => {
    const folder = tempFolder();
    acquireClaim(folder, 5);
    expect(acquireClaim(folder, 6)).toMatchObject({
      kind: 'busy',
      holder: { number: 1, owner: { pid: process.pid, claimedAt: 5 }, life: 'alive' },
    });
  });

  test('leaves nothing behind when it is busy', () => {
    const folder = tempFolder();
    acquireClaim(folder, 0);
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000001']);
  });

  test('takes the next number after one that was released', () => {
    const folder = tempFolder();
    claimOf(acquireClaim(folder, 0)).release();
    expect(claimOf(acquireClaim(folder, 0)).number).toBe(2);
  });

  test('takes the next number after one whose owner is dead', () => {
    expect(claimOf(acquireClaim(folderWithDead(7), 0)).number).toBe(8);
  });

  test('leaves the record of a dead owner as it was', () => {
    const folder = folderWithDead(7);
    const before = readFileSync(path.join(folder, '00000007'));
    acquireClaim(folder, 0);
    expect(readFileSync(path.join(folder, '00000007'))).toEqual(before);
  });

  test('does not believe the life of a lower number', () => {
    const folder = folderWithDead(2);
    writeRecord(folder, '00000001', recordOf());
    expect(claimOf(acquireClaim(folder, 0)).number).toBe(3);
  });

  test('does not believe the release of a lower number', () => {
    const folder = tempFolder();
    writeRecord(folder, '00000001', recordOf(DEAD));
    writeRecord(folder, '00000001.released', {});
    writeRecord(folder, '00000002', recordOf());
    expect(acquireClaim(folder, 0)).toMatchObject({ kind: 'busy', holder: { number: 2 } });
  });

  test('takes only names of eight digits for numbers', () => {
    const folder = folderWithDead(1);
    for (const name of ['9', '000000009', '00000009x', '00000009.beat', 'x0000009']) {
      writeRecord(folder, name, recordOf());
    }
    expect(claimOf(acquireClaim(folder, 0)).number).toBe(2);
  });

  test('never gives a number out twice, although it is released every time', () => {
    const folder = tempFolder();
    const numbers = Array.from({ length: 40 }, () => {
      const claim = claimOf(acquireClaim(folder, 0));
      claim.release();
      return claim.number;
    });
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  test('sees that another has followed it', () => {
    const folder = tempFolder();
    const claim = claimOf(acquireClaim(folder, 0));
    writeRecord(folder, '00000002', recordOf());
    expect(claim.highest()).toBe(2);
  });
});

describe('the holder of a claim', () => {
  test('is nobody where there is no folder', () => {
    expect(claimHolder(path.join(tempFolder(), 'none'))).toBeNull();
  });

  test('is nobody after the release', () => {
    const folder = tempFolder();
    claimOf(acquireClaim(folder, 0)).release();
    expect(claimHolder(folder)).toBeNull();
  });

  test('is the owner of the highest number', () => {
    const folder = folderWithDead(1);
    acquireClaim(folder, 9);
    expect(claimHolder(folder)).toMatchObject({ number: 2, owner: { claimedAt: 9 }, life: 'alive' });
  });

  test('is named although it is dead', () => {
    expect(claimHolder(folderWithDead(3))).toMatchObject({ number: 3, life: 'dead' });
  });

  test('is asked for without leaving a trace', () => {
    const folder = folderWithDead(3);
    claimHolder(folder);
    expect(namesOf(folder)).toEqual(['00000003']);
  });
});

describe('a release', () => {
  test('adds a mark and takes nothing away', () => {
    const folder = tempFolder();
    claimOf(acquireClaim(folder, 0)).release();
    expect(namesOf(folder)).toEqual(['00000001', '00000001.released']);
  });

  test('touches nothing of a holder that has followed', () => {
    const folder = tempFolder();
    const first = claimOf(acquireClaim(folder, 0));
    writeRecord(folder, '00000002', recordOf());
    first.release();
    expect([namesOf(folder), claimHolder(folder)?.number]).toEqual([
      ['00000001', '00000001.released', '00000002'],
      2,
    ]);
  });

  test('of a claim that a person has broken changes nothing', () => {
    const folder = tempFolder();
    const claim = claimOf(acquireClaim(folder, 0));
    writeRecord(folder, '00000001.released', { by: 'a person' });
    claim.release();
    expect(readFileSync(path.join(folder, '00000001.released'), 'utf8')).toBe('{"by":"a person"}');
  });
});

describe('tidying', () => {
  test('keeps the last 32 numbers', () => {
    const folder = folderWithDead(...Array.from({ length: 40 }, (_, at) => at + 1));
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(Array.from({ length: 32 }, (_, at) => String(at + 10).padStart(8, '0')));
  });

  test('takes the companions of a number away with it, and no others', () => {
    const folder = folderWithDead(8, 9, 40);
    for (const name of ['00000008.released', '00000008.beat', '00000009.released', '00000009.child']) {
      writeRecord(folder, name, {});
    }
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000040', '00000041']);
  });

  test('keeps the companions of the numbers that it keeps', () => {
    const folder = folderWithDead(10, 40);
    writeRecord(folder, '00000010.released', {});
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000010', '00000010.released', '00000040', '00000041']);
  });

  test('takes away what dead claimants had prepared', () => {
    const folder = tempFolder();
    writeRecord(folder, 'tmp.dead', recordOf(DEAD));
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000001']);
  });

  test('leaves what living claimants have prepared', () => {
    const folder = tempFolder();
    writeRecord(folder, 'tmp.alive', recordOf());
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000001', 'tmp.alive']);
  });

  test.each([
    ['a record that is being written', ''],
    ['half a record', '{"format":1,"kind":"process","ho'],
  ])('leaves %s, and the claim is held', (_, text) => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, 'tmp.half'), text);
    expect([acquireClaim(folder, 0).kind, namesOf(folder)]).toEqual(['held', ['00000001', 'tmp.half']]);
  });

  test('leaves a folder of that name', () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'tmp.folder'));
    expect(acquireClaim(folder, 0).kind).toBe('held');
  });
});
