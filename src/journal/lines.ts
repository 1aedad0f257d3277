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
}

const LF = 0x0a;
/** It cannot stand inside a line: a quote in a text is escaped. */
const BEGIN = '{"seq":';
const SUFFIX_BYTES = ',"crc":"01234567"}'.length;

export function encodeLine(seq: number, at: Millis, event: Event | SealLine): string {
  const body = JSON.stringify({ seq, at, ...event }).slice(0, -1);
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
  const { seq, at, crc: _, ...event } = JSON.parse(bytes.toString('utf8'));
  return { seq, at, event };
}

/** The whole lines at the beginning of some bytes, and what follows them. */
export interface Lines {
  readonly lines: readonly Line[];
  /** Offset behind each line. */
  readonly ends: readonly number[];
  /** A whole line further up behind a broken one: damage, not a torn tail. */
  readonly damagedLine: number | null;
}

/** A tail that is torn or filled with NULs is cut; a broken line with whole ones behind it is reported as damage. */
export function readLines(bytes: Buffer): Lines {
  const lines: Line[] = [];
  const ends: number[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LF, start);
    if (end < 0) break;
    const line = decodeLine(bytes.subarray(start, end));
    if (!line) return { lines, ends, damagedLine: hasWholeLine(bytes, start + 1) ? lines.length + 1 : null };
    lines.push(line);
    ends.push(end + 1);
    start = end + 1;
  }
  return { lines, ends, damagedLine: null };
}

/** Anywhere, not only behind a line end: what broke the line above may have been its line end. */
function hasWholeLine(bytes: Buffer, from: number): boolean {
  for (let start = bytes.indexOf(BEGIN, from); start >= 0; start = bytes.indexOf(BEGIN, start + 1)) {
    const end = bytes.indexOf(LF, start);
    if (end >= 0 && decodeLine(bytes.subarray(start, end))) return true;
  }
  return false;
}
