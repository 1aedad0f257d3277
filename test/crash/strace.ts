/** Points before the system calls of one process, read off what strace of Linux shows of it. */
import { findProgram } from '../executor/support.js';

/** Null: not on this machine. */
export const STRACE = findProgram('strace');

/** In CI a missing one is a failure, not a test that was left out. */
export const mayBeMissing = !STRACE && !process.env['CI'];

/** Just before the N-th call of its name. */
export interface Point {
  readonly call: string;
  readonly nth: number;
  /** The call as strace shows it. */
  readonly line: string;
}

/** All points of a launcher, from its first word on; there it has done nothing yet. */
export function pointsIn(trace: string): Point[] {
  const counts = new Map<string, number>();
  const points = trace.split('\n').flatMap((line): Point[] => {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (call === undefined) return [];
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    return [{ call, nth, line }];
  });
  return points.slice(points.findIndex(({ call }) => call === 'write'));
}

/** Options of strace; -D: the program itself is the child, not strace. Without -f only its own calls count. */
export function tracing(trace: string): string[] {
  return ['-D', '-o', trace];
}

export function killing({ call, nth }: Point, trace = '/dev/null'): string[] {
  return [...tracing(trace), '-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${nth}`];
}

export function at({ call, nth, line }: Point): string {
  return `before call ${nth} of ${call}: ${line}`;
}
