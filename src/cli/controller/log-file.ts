/** A log that is written at once, kept in a few files of limited size, and never a reason to stop. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { codeOf } from '../error-code.js';

export interface LogFileLimits {
  /** At this size the file becomes FILE.1, FILE.1 becomes FILE.2 and so on. */
  readonly bytesMax: number;
  /** With FILE itself. */
  readonly filesMax: number;
}

export const LOG_FILE_LIMITS: LogFileLimits = { bytesMax: 10 * 1024 * 1024, filesMax: 5 };

export interface LogFileOptions extends LogFileLimits {
  /** The line that says what could not be written, for when it is possible again. */
  readonly lostLine: (lines: number, code: string) => string;
}

export interface LogFile {
  /** Never throws: what cannot be written is counted, and tried no more before the next line. */
  write(line: string): void;
  reopen(): void;
}

export function createLogFile(file: string, options: LogFileOptions): LogFile {
  let opened: { fd: number; stat: Stats } | null = null;
  let lost = { lines: 0, code: '' };

  function write(line: string): void {
    try {
      const { fd, bytes } = prepare();
      append(fd, lost.lines > 0 ? options.lostLine(lost.lines, lost.code) + line : line, bytes);
      lost = { lines: 0, code: '' };
    } catch (error) {
      lost = { lines: lost.lines + 1, code: codeOf(error) };
      reopen();
    }
  }

  /** Whoever moved or removed the file meant it: the next line begins a new one. */
  function prepare(): { fd: number; bytes: number } {
    const there = statSync(file, { throwIfNoEntry: false });
    if (opened && !isSame(opened.stat, there)) reopen();
    if (rotateWhenLarge(file, options)) reopen();
    if (!opened) {
      const fd = openSync(file, 'a', 0o644);
      opened = { fd, stat: fstatSync(fd) };
    }
    return { fd: opened.fd, bytes: fstatSync(opened.fd).size };
  }

  function reopen(): void {
    const before = opened;
    opened = null;
    try {
      if (before) closeSync(before.fd);
    } catch {
      // Some file systems say only now that a write has failed; it was counted.
    }
  }

  return { write, reopen };
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** A whole line or nothing: what a full disk took half of is taken back. */
function append(fd: number, text: string, position: number): void {
  const bytes = Buffer.from(text, 'utf8');
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } catch (error) {
    takeBack(fd, position);
    throw error;
  }
}

function takeBack(fd: number, position: number): void {
  try {
    ftruncateSync(fd, position);
  } catch {
    // Half a line stays; what matters is why the write failed.
  }
}

/** True: the file has got another name. Where that is refused, the file grows on: better than losing what is said. */
export function rotateWhenLarge(file: string, { bytesMax, filesMax }: LogFileLimits): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  if (!there?.isFile() || there.size < bytesMax) return false;
  try {
    for (let number = filesMax - 1; number > 1; number--)
      moveIfThere(`${file}.${number - 1}`, `${file}.${number}`);
    renameSync(file, `${file}.1`);
    return true;
  } catch {
    return false;
  }
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
