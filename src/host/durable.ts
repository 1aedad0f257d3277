/** Files that survive a power cut: content first, then the name, then the folder that holds the name. */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

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

/**
 * Makes a folder with all that is missing above it. Node's own recursive mkdir never returns where a file system has
 * no place for new names and says ENOENT, as /proc does (measured on Node 20.20.2).
 * @returns the topmost folder that was made, or null
 */
export function makeFolder(folder: string, mode = 0o777): string | null {
  const wasThere = wasFolder(folder, mode);
  if (wasThere !== null) return wasThere ? null : folder;
  const above = path.dirname(folder);
  const first = makeFolder(above, mode);
  if (wasFolder(folder, mode) === null) mkdirSync(folder, { mode });
  return first ?? folder;
}

/** Tries to make it. True: it was there; false: it is made now; null: the folder above it is missing. */
function wasFolder(folder: string, mode: number): boolean | null {
  try {
    mkdirSync(folder, { mode });
    return false;
  } catch (error) {
    if (hasCode(error, 'ENOENT') && path.dirname(folder) !== folder) return null;
    if (hasCode(error, 'EEXIST') && statSync(folder).isDirectory()) return true;
    throw error;
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
