import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLine, FORMAT } from '../../src/journal/lines.js';
import { listParts, partName, readJournal } from '../../src/journal/replay.js';
import { tempFolder } from '../contract/temp-folder.js';
import { rerun } from './events.js';
import { damageOf, partText, sealedFolder, writePart } from './parts.js';

/** Names of the jobs in the events that count. */
function jobsIn(folder: string, below?: number): string[] {
  return readJournal(folder, below).records.map(({ event }) => ('job' in event ? event.job : event.type));
}

describe('the newest part', () => {
  test('counts to its end', () => {
    const folder = tempFolder();
    writePart(folder, 7, 0, partText(7, { jobs: ['a', 'b'] }).text);
    expect(jobsIn(folder)).toEqual(['a', 'b']);
  });

  test('ends behind its last whole line, whatever the size of the file is', () => {
    const folder = tempFolder();
    const { text, ends } = partText(7, { jobs: ['a', 'b'] });
    writePart(folder, 7, 0, Buffer.concat([Buffer.from(text), Buffer.alloc(10_000)]));
    expect(readJournal(folder).tail).toEqual({ epoch: 7, part: 0, bytes: ends[2] });
  });

  test('torn at any byte counts to its last whole line, and for nothing without a whole seal line', () => {
    const { text, ends } = partText(7, { jobs: ['a', '日次', 'c'] });
    const bytes = Buffer.from(text);
    const folder = tempFolder();
    const wrong = Array.from({ length: bytes.length + 1 }, (_, cut) => cut).filter((cut) => {
      writePart(folder, 7, 0, bytes.subarray(0, cut));
      const { tail, records, nextSeq } = readJournal(folder);
      const whole = ends.filter((end) => end <= cut);
      const expected = [whole.at(-1), Math.max(0, whole.length - 1), whole.length + 1];
      return JSON.stringify([tail?.bytes, records.length, nextSeq]) !== JSON.stringify(expected);
    });
    expect(wrong).toEqual([]);
  });

  test('without a whole seal line counts for nothing, so that the one below is the newest', () => {
    const folder = tempFolder();
    writePart(folder, 7, 0, partText(7, { jobs: ['a'] }).text);
    writePart(folder, 8, 0, partText(8, { seq: 3 }).text.slice(0, -1));
    expect(readJournal(folder)).toMatchObject({ tail: { epoch: 7 }, nextSeq: 3 });
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['NULs', Buffer.alloc(4096)],
  ])('that is %s counts for nothing', (_, content) => {
    const folder = tempFolder();
    writePart(folder, 7, 0, partText(7, { jobs: ['a'] }).text);
    writePart(folder, 8, 0, content);
    expect(jobsIn(folder)).toEqual(['a']);
  });

  test('is looked for below an epoch only', () => {
    const { folder } = sealedFolder();
    expect(jobsIn(folder, 8)).toEqual(['a', 'b', 'c']);
  });
});

describe('a sealed part', () => {
  test('counts exactly as far as the seal says', () => {
    expect(jobsIn(sealedFolder().folder)).toEqual(['a', 'b', 'x']);
  });

  test('counts no further although it has grown since', () => {
    const { folder } = sealedFolder();
    appendFileSync(path.join(folder, partName(7, 0)), encodeLine(5, 0, rerun('late')));
    expect(jobsIn(folder)).toEqual(['a', 'b', 'x']);
  });

  test('may be damaged behind the seal', () => {
    const { folder, older } = sealedFolder();
    writePart(folder, 7, 0, `${older.text.slice(0, older.ends[2])}rubbish\n${older.text}`);
    expect(jobsIn(folder)).toEqual(['a', 'b', 'x']);
  });

  test('counts the same for every later reader', () => {
    const { folder, newer } = sealedFolder();
    const seal = { epoch: 8, part: 0, bytes: newer.ends[1]! };
    writePart(folder, 9, 0, partText(9, { seal, seq: 6, jobs: ['y'] }).text);
    expect(jobsIn(folder)).toEqual(['a', 'b', 'x', 'y']);
  });

  test('counts for nothing when no seal names it', () => {
    const { folder, older } = sealedFolder();
    const seal = { epoch: 7, part: 0, bytes: older.ends[3]! };
    writePart(folder, 9, 0, partText(9, { seal, seq: 5, jobs: ['y'] }).text);
    expect(jobsIn(folder)).toEqual(['a', 'b', 'c', 'y']);
  });

  test('may be one that had no line but its seal', () => {
    const { folder, newer } = sealedFolder();
    const seal = { epoch: 8, part: 0, bytes: newer.ends[0]! };
    writePart(folder, 9, 0, partText(9, { seal, seq: 5, jobs: ['y'] }).text);
    expect(jobsIn(folder)).toEqual(['a', 'b', 'y']);
  });
});

describe('parts of one epoch', () => {
  test('are EPOCH.jsonl, then EPOCH.1.jsonl and so on', () => {
    expect([partName(7, 0), partName(7, 1), partName(12345678, 10)]).toEqual([
      '00000007.jsonl',
      '00000007.1.jsonl',
      '12345678.10.jsonl',
    ]);
  });

  test('are listed by their numbers, the newest first, among files of other names', () => {
    const folder = tempFolder();
    for (const name of ['00000007.jsonl', '00000007.2.jsonl', '00000007.10.jsonl', '00000008.jsonl']) {
      writeFileSync(path.join(folder, name), '');
    }
    for (const name of ['7.jsonl', '00000009.0.jsonl', '00000009.jsonl.bak', '00000009.01.jsonl', 'x']) {
      writeFileSync(path.join(folder, name), '');
    }
    expect(listParts(folder).map(({ epoch, part }) => `${epoch}.${part}`)).toEqual([
      '8.0',
      '7.10',
      '7.2',
      '7.0',
    ]);
  });

  test('seal one another as epochs do', () => {
    const folder = tempFolder();
    const first = partText(7, { jobs: ['a', 'lost in a failed sync'] });
    const second = partText(7, {
      part: 1,
      seal: { epoch: 7, part: 0, bytes: first.ends[1]! },
      seq: 3,
      jobs: ['b'],
    });
    const third = partText(8, { seal: { epoch: 7, part: 1, bytes: second.ends[1]! }, seq: 5, jobs: ['c'] });
    writePart(folder, 7, 0, first.text);
    writePart(folder, 7, 1, second.text);
    writePart(folder, 8, 0, third.text);
    expect(jobsIn(folder)).toEqual(['a', 'b', 'c']);
  });
});

describe('numbers', () => {
  test('go on from part to part', () => {
    expect(readJournal(sealedFolder().folder).nextSeq).toBe(6);
  });

  test('begin at 1 in a journal without parts', () => {
    expect(readJournal(tempFolder())).toEqual({ records: [], tail: null, nextSeq: 1 });
  });

  test('begin at 1 where there is no folder', () => {
    expect(readJournal(path.join(tempFolder(), 'none'))).toEqual({ records: [], tail: null, nextSeq: 1 });
  });

  test.each([
    ['missing in a part', [1, 2, 4], 3],
    ['given twice', [1, 2, 2], 3],
    ['missing at the beginning', [2, 3], 1],
  ])('that are %s are damage', (_, seqs, line) => {
    const folder = tempFolder();
    const lines = seqs.map((seq, at) =>
      encodeLine(
        seq,
        0,
        at > 0 ? rerun('a') : { type: 'seal', format: FORMAT, epoch: 7, part: 0, seal: null },
      ),
    );
    writePart(folder, 7, 0, lines.join(''));
    expect(damageOf(folder)).toEqual({ file: '00000007.jsonl', line, fault: 'sequence' });
  });

  test('missing between two parts are damage of the newer one', () => {
    const folder = tempFolder();
    const older = partText(7, { jobs: ['a'] });
    writePart(folder, 7, 0, older.text);
    writePart(folder, 8, 0, partText(8, { seal: { epoch: 7, part: 0, bytes: older.ends[1]! }, seq: 4 }).text);
    expect(damageOf(folder)).toEqual({ file: '00000008.jsonl', line: 1, fault: 'sequence' });
  });
});
