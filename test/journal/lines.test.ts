import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLine, encodeLine, readLines } from '../../src/journal/lines.js';
import { EVENT_TYPES, events, rerun } from './events.js';

const RUNS = 2000;
const at = 1_790_000_000_000;

const numbered = fc.tuple(fc.nat(), fc.nat(2 ** 42), events);

function lineOf(...line: Parameters<typeof encodeLine>): Buffer {
  return Buffer.from(encodeLine(...line).slice(0, -1));
}

describe('a line', () => {
  test(`says what was encoded (${RUNS} events)`, () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(numbered, fc.boolean(), ([seq, time, event], beginsBatch) => {
        seen.add(event.type);
        const line = lineOf(seq, time, event, { beginsBatch });
        expect(decodeLine(line)).toEqual({ seq, at: time, event, beginsBatch });
      }),
      { numRuns: RUNS },
    );
    expect([...seen].sort()).toEqual(EVENT_TYPES.toSorted());
  });

  test(`is one line, whatever the event holds (${RUNS} events)`, () => {
    fc.assert(
      fc.property(numbered, ([seq, time, event]) => {
        expect(encodeLine(seq, time, event).indexOf('\n')).toBe(encodeLine(seq, time, event).length - 1);
      }),
      { numRuns: RUNS },
    );
  });

  test(`is not whole with any one byte changed (${RUNS} changes)`, () => {
    fc.assert(
      fc.property(
        numbered,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        ([seq, time, event], where, change) => {
          const bytes = lineOf(seq, time, event);
          bytes[where % bytes.length]! ^= change;
          expect(decodeLine(bytes)).toBeNull();
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('is JSON that jq reads', () => {
    expect(JSON.parse(encodeLine(3, at, rerun('日次')))).toEqual({
      seq: 3,
      at,
      type: 'rerun',
      job: '日次',
      crc: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });

  test.each(['', '{}', '\0\0\0\0', ',"crc":"00000000"}', 'x,"crc":"00000000"}'])('is not %j', (text) => {
    expect(decodeLine(Buffer.from(text))).toBeNull();
  });
});

describe('lines torn at any byte', () => {
  const texts = ['a', '日次 集計', 'c'].map((job, index) =>
    Buffer.from(encodeLine(index + 1, at, rerun(job))),
  );
  const whole = Buffer.concat(texts);
  const ends = [texts[0]!.length, texts[0]!.length + texts[1]!.length, whole.length];
  const cuts = Array.from({ length: whole.length + 1 }, (_, cut) => cut);

  test.each([
    ['the file ends there', (cut: number) => whole.subarray(0, cut)],
    ['NULs follow', (cut: number) => Buffer.concat([whole.subarray(0, cut), Buffer.alloc(5000)])],
    [
      'NULs follow to the end of a page',
      (cut: number) => Buffer.concat([whole.subarray(0, cut), Buffer.alloc(8192 - cut)]),
    ],
  ])('count to the last whole one when %s', (_, tornAt) => {
    const wrong = cuts.filter((cut) => {
      const { ends: found, damagedLine } = readLines(tornAt(cut));
      const expected = ends.filter((end) => end <= cut);
      return damagedLine !== null || JSON.stringify(found) !== JSON.stringify(expected);
    });
    expect(wrong).toEqual([]);
  });

  test('are damaged when whole ones follow', () => {
    const wrong = Array.from({ length: ends[1]! }, (_, where) => where).filter((where) => {
      const bytes = Buffer.from(whole);
      bytes[where]! ^= 0x20;
      return readLines(bytes).damagedLine !== (where < ends[0]! ? 1 : 2);
    });
    expect(wrong).toEqual([]);
  });

  test('are damaged when a page of NULs lies between whole ones', () => {
    const bytes = Buffer.concat([texts[0]!, Buffer.alloc(4096), texts[1]!]);
    expect(readLines(bytes)).toMatchObject({ ends: [ends[0]], damagedLine: 2 });
  });
});

describe('a hole that a power cut has left', () => {
  /** Batches of so many lines each; offset behind each line. */
  function journal(...batches: number[]) {
    const texts = batches.flatMap((lines) =>
      Array.from({ length: lines }, (_, line) => ({ beginsBatch: line === 0 })),
    );
    const lines = texts.map((own, index) =>
      Buffer.from(encodeLine(index + 1, at, rerun(`job ${index}`), own)),
    );
    const bytes = Buffer.concat(lines);
    const ends = lines.map((_, index) => Buffer.concat(lines.slice(0, index + 1)).length);
    return { bytes, ends };
  }

  /** Every hole of some bytes that leaves a whole line behind it. */
  function* holesIn(bytes: Buffer, from: number, to: number): Iterable<[number, number]> {
    for (let start = from; start < to; start += 7) {
      for (let end = start + 1; end < to; end += 11) {
        if (bytes.subarray(start, end).some((byte) => byte !== 0)) yield [start, end];
      }
    }
  }

  function holed(bytes: Buffer, start: number, end: number): Buffer {
    return Buffer.concat([bytes.subarray(0, start), Buffer.alloc(end - start), bytes.subarray(end)]);
  }

  test('in the last batch is cut: nothing of that batch was acted upon', () => {
    const { bytes, ends } = journal(1, 2, 6);
    const wrong = [...holesIn(bytes, ends[2]!, ends[7]!)].filter(([start, end]) => {
      const read = readLines(holed(bytes, start, end));
      const whole = ends.filter((one) => one <= start);
      return read.damagedLine !== null || JSON.stringify(read.ends) !== JSON.stringify(whole);
    });
    expect(wrong).toEqual([]);
  });

  test('in a batch that another one follows is damage', () => {
    const { bytes, ends } = journal(1, 4, 2);
    const wrong = [...holesIn(bytes, ends[0]!, ends[4]!)].filter(
      ([start, end]) => readLines(holed(bytes, start, end)).damagedLine === null,
    );
    expect(wrong).toEqual([]);
  });

  test('is no excuse for another byte that was changed in the last batch', () => {
    const { bytes, ends } = journal(1, 2, 4);
    for (let where = ends[2]!; where < ends[5]!; where++) {
      const changed = Buffer.from(bytes);
      changed[where]! ^= 1;
      expect(readLines(changed).damagedLine, `byte ${where}`).not.toBeNull();
    }
  });

  test('is damage in a journal that does not say where its batches begin', () => {
    const { bytes, ends } = journal(1, 2, 4);
    const old = Buffer.concat([Buffer.from(encodeLine(0, at, rerun('old'))), bytes]);
    const shift = old.length - bytes.length;
    expect(readLines(holed(old, shift + ends[3]!, shift + ends[4]!)).damagedLine).toBe(6);
  });
});
