/** Places in a log, found without having it in memory. */
import { fstatSync, readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
/** A longer line counts as several: the last line of a job that never ends one would be its whole output. */
export const LINE_BYTES_MAX = 1024 * 1024;
const LINE_BREAK = 10;
const NULS = Buffer.alloc(CHUNK_BYTES);

/** Where the last lines begin. */
export function startOfTail(fd: number, lines: number): number {
  const { size } = fstatSync(fd);
  if (lines === 0) return size;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let found = 0;
  let lineStart = size;
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const bytes = chunk.subarray(0, readSync(fd, chunk, 0, end - from, from));
    for (let at = lastBreak(bytes, bytes.length); at >= 0; at = lastBreak(bytes, at)) {
      lineStart = from + at + 1;
      // A break at the very end begins no line.
      if (lineStart < size && ++found === lines) return lineStart;
    }
    end = from;
    if (lineStart - end < LINE_BYTES_MAX) continue;
    lineStart = end;
    if (++found === lines) return end;
  }
  return 0;
}

function lastBreak(bytes: Buffer, before: number): number {
  return before === 0 ? -1 : bytes.lastIndexOf(LINE_BREAK, before - 1);
}

/** How many NUL bytes a log begins with: a hole that was left when somebody emptied it under a writer. */
export function leadingNuls(fd: number): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ; position += CHUNK_BYTES) {
    const bytes = chunk.subarray(0, readSync(fd, chunk, 0, CHUNK_BYTES, position));
    if (bytes.equals(NULS)) continue;
    const at = bytes.findIndex((byte) => byte !== 0);
    return position + (at < 0 ? bytes.length : at);
  }
}
