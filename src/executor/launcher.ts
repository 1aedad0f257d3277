/** One resident launcher shell, seen from the controller: fed one job at a time, never ahead. */
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { hasCode } from '../host/durable.js';
import { LAUNCHER_SCRIPT, LINE_HEAD, SEPARATOR } from './launcher-script.js';
import { type LauncherRecord, parseRecord, parseRecords, RECORDS_BYTES } from './records.js';
import { isOfTheSystem, probeDescriptors, unlessRefused } from './shortage.js';

export interface LauncherOptions {
  /** EPOCH-K. */
  readonly name: string;
  readonly shell: string;
  /** Working folder of its jobs. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly exits: string;
  readonly attempts: string;
  /** Path of its lifeline. */
  readonly lifeline: string;
  readonly onAnswer: (answer: LauncherRecord) => void;
  /** It is gone, and every answer has been handed over; with a failure it never was there. */
  readonly onGone: (failure: string | null) => void;
}

export interface Launcher {
  /** Gives it one job; only after its answer to the one before. */
  feed(job: string, attempt: number, shard: string, argv: readonly string[]): void;
  /** Whether its records have room for another job. */
  hasRoom(): boolean;
  records(): LauncherRecord[];
  /** It leaves when it has finished what it is doing. */
  dismiss(): void;
  /** Stop listening; it goes on by itself. */
  letGo(): void;
}

/** Below this much space a records file gets no other job: a name has up to 200 bytes and is written twice. */
const RECORDS_ROOM_BYTES = 512;

export function startLauncher(options: LauncherOptions): Launcher {
  const recordsFile = path.join(options.exits, options.name);
  const child = spawnWithRecords(options, recordsFile);
  let usedBytes = 0;
  let rest = '';
  let hasJob = false;
  let isLetGo = false;

  const launcher: Launcher = {
    feed(job, attempt, shard, argv) {
      hasJob = true;
      usedBytes += 2 * Buffer.byteLength(job, 'utf8') + 48;
      child.stdin.write(`${[LINE_HEAD, job, attempt, shard, ...argv].join(SEPARATOR)}\n`);
    },
    hasRoom: () => RECORDS_BYTES - usedBytes >= RECORDS_ROOM_BYTES,
    records: () => parseRecords(readFileSync(recordsFile, 'utf8')),
    dismiss: () => child.stdin.end(),
    letGo() {
      isLetGo = true;
      child.stdin.destroy();
      child.stdout.destroy();
      child.unref();
      if (!hasJob) trimRecords(recordsFile);
    },
  };

  child.stdin.on('error', () => {
    // EPIPE: it is gone, and the end of its output says so.
  });
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const answer = parseRecord(line);
      if (!answer) continue;
      hasJob = false;
      options.onAnswer(answer);
    }
  });
  child.then(({ originalMessage }) => {
    if (isLetGo) return;
    trimRecords(recordsFile);
    options.onGone(child.pid === undefined ? (originalMessage ?? 'no process') : null);
  });
  return launcher;
}

/** The space of its records is taken before it starts: a disk that is full by then loses none of them. */
function spawnWithRecords(options: LauncherOptions, recordsFile: string) {
  try {
    writeFileSync(recordsFile, ' '.repeat(RECORDS_BYTES), { flag: 'wx' });
    return spawnShell(options, recordsFile);
  } catch (error) {
    // It is tried again under another name: what is left of this one would fill the disk up. Not those of another.
    if (!hasCode(error, 'EEXIST')) unlessRefused(() => rmSync(recordsFile, { force: true }));
    throw error;
  }
}

function spawnShell(options: LauncherOptions, recordsFile: string) {
  // Behind the controller's death a launcher has nobody to complain to but this file.
  const complaints = openSync(path.join(options.exits, 'launchers.err'), 'a');
  try {
    probeDescriptors();
    const args = ['jobnet', recordsFile, options.attempts, options.lifeline, SEPARATOR, LINE_HEAD];
    return execa(options.shell, ['-c', LAUNCHER_SCRIPT, ...args], {
      cwd: options.folder,
      env: options.environment,
      extendEnv: false,
      // A session of its own: neither a signal to the controller's group nor its end reaches it.
      detached: true,
      reject: false,
      buffer: false,
      encoding: 'utf8',
      stdin: 'pipe',
      stdout: 'pipe',
      // The declarations of execa name single digits only; it takes any descriptor.
      stderr: complaints as 3,
    });
  } finally {
    closeSync(complaints);
  }
}

/** A launcher without a job writes no more: the space kept for it goes back, the time of its last record stays. */
function trimRecords(file: string): void {
  try {
    const { atime, mtime } = statSync(file);
    const text = readFileSync(file, 'utf8');
    truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1), 'utf8'));
    utimesSync(file, atime, mtime);
  } catch (error) {
    // The records are as true with the space behind them as without.
    if (!isOfTheSystem(error)) throw error;
  }
}
