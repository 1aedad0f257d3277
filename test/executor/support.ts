/** What tests of real processes need: folders, waiting for what can be seen, scripts, processes that are ended. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { readStat } from '../../src/host/identity.js';

export const isLinux = process.platform === 'linux';
export const isRoot = process.getuid?.() === 0;

/** A folder whose path has what real paths have: blanks, quotes and Japanese. */
export function tempFolder(): string {
  const parent = mkdtempSync(path.join(realpathSync(tmpdir()), 'jobnet-test-'));
  const folder = path.join(parent, "月次 処理's $(x)");
  mkdirSync(folder);
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const DEADLINE_MS = 30_000;

/** Waits for something that can be seen; the deadline is for faults, not for speed. */
export async function until<T>(look: () => T, what = String(look)): Promise<NonNullable<T>> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const seen = look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`never seen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function script(file: string, text: string | Uint8Array, mode = 0o755): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  // Whatever the mask of the system is.
  chmodSync(file, mode);
  return file;
}

/** A FIFO at which jobs wait until the test lets them go on. */
export interface Gate {
  readonly path: string;
  /** Lets whoever waits for a line have this one, now or when it comes. */
  open(line?: string): void;
}

export function createGate(file: string): Gate {
  execFileSync('mkfifo', [file]);
  // For reading and writing: opening and writing then wait for nobody, and a line waits for its reader.
  const fd = openSync(file, 'r+');
  onTestFinished(() => closeSync(fd));
  return { path: file, open: (line = '') => void writeSync(fd, `${line}\n`) };
}

/** Where a program is, or null. */
export function findProgram(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find(isRunnable) ?? null;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A child of the test, ended with it by its pid. */
export function startChild(command: string, args: readonly string[], options = {}): ChildProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return child;
}

/** The pid of a dead process that nobody has waited for: its parent has become a program that never does. */
export async function startZombie(env = process.env): Promise<number> {
  const text = 'read -r x <&3 & echo $!; exec env -i cat 3<&-';
  const parent = startChild('/bin/sh', ['-c', text], { env, stdio: ['pipe', 'pipe', 'ignore', 'pipe'] });
  const [pid] = await once(parent.stdout!, 'data');
  // The echo shows that the parent is no shell any more.
  parent.stdin!.write('x\n');
  await once(parent.stdout!, 'data');
  (parent.stdio[3] as Writable).end('x\n');
  return Number(pid);
}

/** Kills what a test left running; a pid that is gone is fine. */
export function killAtEnd(pids: () => readonly number[]): void {
  onTestFinished(() => {
    for (const pid of pids()) kill(pid, 'SIGKILL');
  });
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

export function isGone(pid: number): boolean {
  return (readStat(pid)?.life ?? 'dead') === 'dead';
}

export function exists(file: string): boolean {
  return existsSync(file);
}

/** Root may read and enter everything, so it looks as somebody else. */
export function withoutPrivileges<T>(look: () => T): T {
  if (isRoot) process.seteuid!(65_534);
  try {
    return look();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}
