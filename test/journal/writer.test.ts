import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EpochLost } from '../../src/engine/ports.js';
import { FORMAT, readLines } from '../../src/journal/lines.js';
import { readJournal } from '../../src/journal/replay.js';
import { type JournalOptions, openJournal } from '../../src/journal/writer.js';
import { tempFolder } from '../contract/temp-folder.js';
import { rerun } from './events.js';

const STEP_BYTES = 256 * 1024;

function open(folder: string, changes: Partial<JournalOptions> = {}) {
  return openJournal({ folder, epoch: 7, seal: null, nextSeq: 1, at: 5, look: () => {}, ...changes });
}

const FILE = '00000007.jsonl';
const sizeOf = (folder: string) => statSync(path.join(folder, FILE)).size;

/** Bytes of the file that say something: up to the NULs. */
function dataOf(folder: string): Buffer {
  const bytes = readFileSync(path.join(folder, FILE));
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

describe('a new part', () => {
  test('is named by its epoch', () => {
    const folder = tempFolder();
    open(folder);
    expect(readdirSync(folder)).toEqual([FILE]);
  });

  test('begins with a line that says how far the journal before counts', () => {
    const folder = tempFolder();
    const seal = { epoch: 3, part: 1, bytes: 99 };
    open(folder, { seal, nextSeq: 12 });
    const event = { type: 'seal', format: FORMAT, epoch: 7, part: 0, seal };
    expect(readLines(dataOf(folder)).lines).toEqual([{ seq: 12, at: 5, event, beginsBatch: true }]);
  });

  test('says of each line whether a batch begins with it', async () => {
    const folder = tempFolder();
    const journal = open(folder);
    for (const jobs of [['a', 'b'], ['c', 'd', 'e'], ['f']]) {
      for (const job of jobs) journal.append([rerun(job)], 6);
      await journal.commit();
    }
    const begins = readLines(dataOf(folder)).lines.map(({ beginsBatch }) => beginsBatch);
    expect(begins).toEqual([true, true, false, true, false, false, true]);
  });

  test('is never one that is there already', () => {
    const folder = tempFolder();
    open(folder);
    expect(() => open(folder)).toThrow('EEXIST');
  });

  test('is not used when another controller has followed meanwhile', () => {
    const lost = () => {
      throw new EpochLost(7, 8);
    };
    expect(() => open(tempFolder(), { look: lost })).toThrow(EpochLost);
  });

  test('looks only when its seal line is written', () => {
    const folder = tempFolder();
    let found = 0;
    open(folder, { look: () => (found = readLines(dataOf(folder)).lines.length) });
    expect(found).toBe(1);
  });
});

describe('a part', () => {
  test('is longer than its data while it is open', () => {
    const folder = tempFolder();
    open(folder);
    expect(sizeOf(folder)).toBe(STEP_BYTES);
  });

  test('grows by whole steps', async () => {
    const folder = tempFolder();
    const journal = open(folder);
    journal.append([rerun('x'.repeat(STEP_BYTES + 1))], 0);
    await journal.commit();
    expect(sizeOf(folder)).toBe(2 * STEP_BYTES);
  });

  test('has no step more than it needs', async () => {
    const folder = tempFolder();
    const journal = open(folder);
    journal.append([rerun('x')], 0);
    await journal.commit();
    expect(sizeOf(folder)).toBe(STEP_BYTES);
  });

  test('is exactly its data when it is closed', async () => {
    const folder = tempFolder();
    const journal = open(folder);
    journal.append([rerun('a')], 0);
    await journal.commit();
    const data = dataOf(folder);
    await journal.close();
    expect(readFileSync(path.join(folder, FILE))).toEqual(data);
  });

  test('loses what was never committed when it is closed', async () => {
    const folder = tempFolder();
    const journal = open(folder);
    journal.append([rerun('a')], 0);
    await journal.close();
    expect(readJournal(folder).records).toEqual([]);
  });

  test('goes on with the numbers of the one before', async () => {
    const folder = tempFolder();
    const first = open(folder, { epoch: 6 });
    first.append([rerun('a'), rerun('b')], 0);
    await first.commit();
    await first.close();
    const { tail, nextSeq } = readJournal(folder);
    const second = open(folder, { seal: tail, nextSeq });
    second.append([rerun('c')], 0);
    await second.commit();
    expect(readJournal(folder)).toMatchObject({ nextSeq: 6, records: { length: 3 } });
  });

  test('can be followed at once, without being closed', async () => {
    const folder = tempFolder();
    const first = open(folder, { epoch: 6 });
    first.append([rerun('a')], 0);
    await first.commit();
    const { tail, nextSeq } = readJournal(folder);
    open(folder, { seal: tail, nextSeq });
    first.append([rerun('late')], 0);
    await first.commit();
    expect(readJournal(folder).records.map(({ event }) => event)).toEqual([rerun('a')]);
  });

  test('looks once after each commit', async () => {
    let looks = 0;
    const journal = open(tempFolder(), { look: () => void looks++ });
    journal.append([rerun('a')], 0);
    await journal.commit();
    await journal.commit();
    expect(looks).toBe(3);
  });
});
