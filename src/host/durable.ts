/** Files that survive a power cut: content first, then the name, then the folder that holds the name. */
import { closeSync, fsyncSync, openSync, readdirSync, writeSync } from 'node:fs';

/** Creates a file with its whole content; fails when it exists. */
export function createDurably(file: string, text: string): void {
  const fd = openSync(file, 'wx', 0o644);
  try {
    writeAll(fd, Buffer.from(text, 'utf8'), 0);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/** Names in a folder; none when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Whether an error is the system's answer of this name. */
export function hasCode(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
