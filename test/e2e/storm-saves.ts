/** The other process of the storm, and what it is told to save. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Change {
  readonly job: string;
  readonly column: 'status' | 'prev3' | 'memo';
  /** What the cell must say, else nothing is saved. */
  readonly from: string | null;
  readonly to: string;
}

export interface Order {
  readonly kind: 'edit' | 'spoil' | 'restore' | 'stale';
  /** The text to be changed and saved, instead of the one that the file has. */
  readonly base?: string;
  readonly changes?: readonly Change[];
  readonly rows?: readonly string[];
  readonly spoil?: string;
}

export interface Saved {
  readonly isSaved: boolean;
  /** The text that was changed. */
  readonly known: string;
  /** What the file said just before. */
  readonly before: string;
}

const WAYS = ['rename', 'rename', 'in place', 'over', 'halves'];

/** How many of the edits are saved by somebody who takes his time, and how long he takes at most. */
const LATE = 0.15;
const LATE_MS = 600;
/** Between the two halves of a save. */
const HALVES_MS = 120;

/** A process that reads, changes and saves the file as it is told. */
export function createSaver(file: string, next: () => number): (order: Order) => Promise<Saved> {
  const script = fileURLToPath(new URL('storm-saver.mjs', import.meta.url));
  const child: ChildProcess = fork(script, { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return async ({ kind, base, changes = [], rows = [], spoil }) => {
    const answer = once(child, 'message') as Promise<[Saved]>;
    child.send({
      file,
      kind,
      base,
      edit: { changes, rows },
      spoil: spoil && { kind: spoil, at: next() },
      how: { way: WAYS[Math.floor(next() * WAYS.length)], at: next(), pauseMs: next() * HALVES_MS },
      lateMs: kind === 'edit' && next() < LATE ? next() * LATE_MS : 0,
    });
    return (await answer)[0];
  };
}

/** Memos by job: the column behind the seventh comma. */
export function memosIn(text: string): Map<string, string> {
  const rows = text.split('\n').map((line) => line.split(','));
  return new Map(rows.map(([job, ...cells]) => [job!, cells.slice(6).join(',')]));
}
