/** One event, one line of JSON: number, time, event, checksum. Readable with jq; a torn line is never taken for a whole one. */
import { crc32 } from 'node:zlib';
import type { Event, Millis } from '../core/words.js';

/** The format of run.json and of the segments; a reader refuses a higher one. */
export const FORMAT = 1;

/** How far an older part of the journal counts: a fence without a database (docs/protocols.md, "Records and seals"). */
export interface Seal {
  readonly epoch: number;
  readonly part: number;
  /** Offset behind the last line that counts. */
  readonly bytes: number;
}

/** The first line of each part. `seal` is null in the first part of a run. */
export interface SealLine {
  readonly type: 'seal';
  readonly format: number;
  readonly epoch: number;
  readonly part: number;
  readonly seal: Seal | null;
}

export interface Line {
  readonly seq: number;
  readonly at: Millis;
  readonly event: Event | SealLine;
  /** The first one of a batch: all batches before were durable when it was written. */
  readonly beginsBatch: boolean;
}

const LF = 0x0a;
/** It cannot stand inside a line: a quote in a text is escaped. */
const BEGIN = '{"seq":';
const SUFFIX_BYTES = ',"crc":"01234567"}'.length;

/** @param beginsBatch it is the first one of its batch, which is not written before those before it are durable */
export function encodeLine(
  seq: number,
  at: Millis,
  event: Event | SealLine,
  { beginsBatch = false }: { beginsBatch?: boolean } = {},
): string {
  const body = JSON.stringify({ seq, at, ...event, ...(beginsBatch ? { batch: true } : {}) }).slice(0, -1);
  return `${body},"crc":"${checksum(body)}"}\n`;
}

function checksum(body: string | Uint8Array): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** One line without its line end, or null when it is not whole. */
export function decodeLine(bytes: Buffer): Line | null {
  const bodyEnd = bytes.length - SUFFIX_BYTES;
  if (bodyEnd <= 0) return null;
  const suffix = bytes.toString('latin1', bodyEnd);
  if (suffix !== `,"crc":"${checksum(bytes.subarray(0, bodyEnd))}"}`) return null;
  const { seq, at, batch, crc: _, ...event } = JSON.parse(bytes.toString('utf8'));
  return { seq, at, event, beginsBatch: batch === true };
}

/** The whole lines at the beginning of some bytes, and what follows them. */
export interface Lines {
  readonly lines: readonly Line[];
  /** Offset behind each line. */
  readonly ends: readonly number[];
  /** The broken line that has whole ones behind it: damage, not a torn tail. */
  readonly damagedLine: number | null;
}

/**
 * A tail that is torn or filled with NULs is cut; a broken line with whole ones behind it is reported as damage. One
 * kind of it is none: a power cut in the middle of a batch may leave a later page of it on disk and an earlier one not.
 */
export function readLines(bytes: Buffer): Lines {
  const lines: Line[] = [];
  const ends: number[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LF, start);
    if (end < 0) break;
    const line = decodeLine(bytes.subarray(start, end));
    if (!line) return { lines, ends, damagedLine: isDamage(bytes, start, lines) ? lines.length + 1 : null };
    lines.push(line);
    ends.push(end + 1);
    start = end + 1;
  }
  return { lines, ends, damagedLine: null };
}

/** Whether the broken line at `from` was durable once. */
function isDamage(bytes: Buffer, from: number, before: readonly Line[]): boolean {
  // Journals of earlier versions do not say where their batches begin.
  const saysBatches = before[0]?.beginsBatch ?? false;
  let isHole = false;
  for (const { line, start } of wholeLines(bytes, from + 1)) {
    isHole ||= bytes.subarray(from, start).includes(0);
    // Behind the first line of a later batch everything was durable; in the last one nothing need be.
    if (!isHole || !saysBatches || line.beginsBatch) return true;
  }
  return false;
}

/** Anywhere, not only behind a line end: what broke the line above may have been its line end. */
function* wholeLines(bytes: Buffer, from: number): Iterable<{ line: Line; start: number }> {
  for (let start = bytes.indexOf(BEGIN, from); start >= 0; start = bytes.indexOf(BEGIN, start + 1)) {
    const end = bytes.indexOf(LF, start);
    const line = end < 0 ? null : decodeLine(bytes.subarray(start, end));
    if (line) yield { line, start };
  }
}
