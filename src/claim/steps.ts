/**
 * Protocols on files as steps: each asks for one operation and goes on with its answer. So the code that runs is the
 * code that the model check walks through in every order, with crashes and pauses between any two operations.
 */
import type { ProcessIdentity } from '../host/identity.js';

/** The operations that claims and fences are made of; nothing here waits. */
export interface Files {
  /** Names in a folder; none when it is not there. */
  list(folder: string): readonly string[];
  /** The whole file; null when it is not there or no longer (a stale handle), which means: look again. */
  read(file: string): string | null;
  /** Makes a new file with its whole content, on disk when it returns. */
  write(file: string, text: string): void;
  /** Gives what was prepared its name, to exactly one of all who try; false when the name is taken. */
  link(from: string, to: string): boolean;
  /** Makes an empty file, not durable; false when it is there already. */
  mark(file: string): boolean;
  /** False when the source is not there any more. */
  rename(from: string, to: string): boolean;
  /** False when it was not there. */
  remove(file: string): boolean;
  /** Makes the names in a folder durable. */
  sync(folder: string): void;
  life(of: ProcessIdentity): Life;
  /** A text that nobody has used before. */
  fresh(): string;
  now(): Moment;
}

/** `unknown`: it is on another host, in another pid namespace or hidden, where this process cannot look. */
export type Life = 'alive' | 'frozen' | 'dead' | 'unknown';

/** One moment on three clocks, all in milliseconds; one is never compared with another. */
export interface Moment {
  /** Never goes back, stands still while the machine sleeps: for who watches somebody else. */
  readonly steady: number;
  /** Goes on while the machine sleeps: for how long a holder may still trust its own lease. */
  readonly awake: number;
  /** Unix time, which may jump: for people. */
  readonly unix: number;
}

type Operation = {
  [K in keyof Files]: readonly [name: K, ...args: Parameters<Files[K]>];
}[keyof Files];

/** A protocol under way: what it asks for, and in the end its result. */
export type Steps<T> = Generator<Operation, T, unknown>;

/** One operation, for `yield*`. */
export function* ask<K extends keyof Files>(
  name: K,
  ...args: Parameters<Files[K]>
): Steps<ReturnType<Files[K]>> {
  return (yield [name, ...args] as unknown as Operation) as ReturnType<Files[K]>;
}

/** Runs a protocol to its end. What an operation throws, the protocol gets where it asked. */
export function runSteps<T>(steps: Steps<T>, files: Files): T {
  let next = steps.next();
  while (!next.done) {
    const [name, ...args] = next.value;
    let answer: unknown;
    try {
      answer = (files[name] as (...all: unknown[]) => unknown)(...args);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}
