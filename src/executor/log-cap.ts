/** The cap on logs: one that grew beyond it is cut to its beginning, with a line on what was dropped. */
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readSync } from 'node:fs';
import type { Clock, Launch } from '../engine/ports.js';
import { hasCode, writeAll } from '../host/durable.js';
import { logPath } from './attempts.js';
import { isOfTheSystem } from './shortage.js';

/** So much of the beginning is kept; of a cap below twice this, half of it. */
const KEPT_BYTES_MAX = 1024 * 1024;
/** How often the logs of live attempts are looked at. A job may write far beyond the cap in between. */
const LOOK_MS = 5000;
/** A cut is made behind a line when one ends within so much. */
const BORDER_BYTES_MAX = 64 * 1024;
const NOTE_BYTES_MAX = 256;
const NOTE = /\[jobnet\] (\d+) bytes dropped here: the log went over its cap of \d+ bytes \(--log-max\)\n/g;

export interface LogCapSettings {
  readonly bytesMax: number;
  /** `droppedBytes` are those of all cuts of this log. */
  readonly onCut: (launch: Launch, droppedBytes: number) => void;
  /** The system does not let a log be cut; said once for an attempt, tried again all the same. */
  readonly onRefused: (launch: Launch, error: Error) => void;
}

export interface LogCapOptions extends LogCapSettings {
  readonly runFolder: string;
  readonly clock: Clock;
  /** Attempts that may be writing. */
  readonly live: () => Iterable<Launch>;
}

export interface LogCap {
  /** There is a live attempt. */
  watch(): void;
  close(): void;
}

export function createLogCap(options: LogCapOptions): LogCap {
  const { clock } = options;
  const refused = new Set<string>();
  let cancelLook: (() => void) | null = null;

  function look(): void {
    cancelLook = null;
    for (const launch of options.live()) {
      lookAt(launch);
      cancelLook ??= clock.after(LOOK_MS, look);
    }
    if (!cancelLook) refused.clear();
  }

  function lookAt(launch: Launch): void {
    const file = logPath(options.runFolder, launch.job, launch.attempt);
    try {
      if (lstatSync(file).size <= options.bytesMax) return;
      const droppedBytes = cutLog(file, options.bytesMax);
      if (droppedBytes !== null) options.onCut(launch, droppedBytes);
    } catch (error) {
      // A log that is not there yet, or was taken away by somebody, is no matter of the cap.
      if (!isOfTheSystem(error)) throw error;
      if (hasCode(error, 'ENOENT') || refused.has(file)) return;
      refused.add(file);
      options.onRefused(launch, error);
    }
  }

  return {
    watch: () => {
      cancelLook ??= clock.after(LOOK_MS, look);
    },
    close: () => cancelLook?.(),
  };
}

/**
 * Keeps the beginning of a log and the number of bytes that all cuts took away. Its writer has it open for appending
 * and writes on behind the note. The note is written over what is dropped, before the log is made shorter: so it is at
 * its place however fast the job writes, and needs no space on a full disk. A controller that dies in between has the
 * next cut count too much; nothing else.
 * @returns the bytes dropped so far, or null when there was nothing to drop
 */
export function cutLog(file: string, bytesMax: number): number | null {
  const fd = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const keptMax = Math.min(KEPT_BYTES_MAX, Math.floor(bytesMax / 2));
    const before = findCut(fd, keptMax - BORDER_BYTES_MAX, keptMax + NOTE_BYTES_MAX);
    const place = before ? { kept: before.start, head: '' } : placeOfCut(fd, keptMax);
    const { size } = fstatSync(fd);
    const droppedBytes = before ? before.droppedBytes + size - before.end : size - place.kept;
    const note = Buffer.from(`${place.head}${noteOf(droppedBytes, bytesMax)}`);
    const end = place.kept + note.length;
    if (end >= size) return null;
    writeAll(fd, note, place.kept);
    ftruncateSync(fd, end);
    return droppedBytes;
  } finally {
    closeSync(fd);
  }
}

/** Plain ASCII: it fits whatever the encoding of the log is. */
function noteOf(droppedBytes: number, bytesMax: number): string {
  return `[jobnet] ${droppedBytes} bytes dropped here: the log went over its cap of ${bytesMax} bytes (--log-max)\n`;
}

interface Cut {
  /** Where the note begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly droppedBytes: number;
}

/** The last cut that was made in a part of a log. */
export function findCut(fd: number, from = 0, to = KEPT_BYTES_MAX + NOTE_BYTES_MAX): Cut | null {
  const first = Math.max(0, from);
  const note = [...read(fd, first, to).toString('latin1').matchAll(NOTE)].at(-1);
  if (!note) return null;
  const start = first + note.index;
  return { start, end: start + note[0].length, droppedBytes: Number(note[1]) };
}

/** Behind the last line that fits; in a longer line before the character that does not fit, with a line break. */
function placeOfCut(fd: number, keptMax: number): { kept: number; head: string } {
  const from = Math.max(0, keptMax - BORDER_BYTES_MAX);
  // One byte more: it tells whether a character ends before it.
  const bytes = read(fd, from, keptMax + 1);
  const lineEnd = bytes.lastIndexOf('\n', keptMax - from - 1);
  if (lineEnd >= 0) return { kept: from + lineEnd + 1, head: '' };
  let kept = keptMax;
  for (let steps = 0; steps < 3 && isInsideCharacter(bytes[kept - from]); steps++) kept--;
  return { kept, head: '\n' };
}

/** In UTF-8; in other encodings half a character may stay. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function read(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
}
