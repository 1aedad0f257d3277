/** Programs that are halted between any two of their actions, and go on when the test says so. */
import path from 'node:path';
import type { Files, Steps } from '../../src/claim/steps.js';

/** Says before each of its actions which one comes next. */
export type Program<T> = Generator<string, T>;

export interface Walk<T> {
  /** Halts before the next action whose name begins so. */
  before(action: string): void;
  end(): T;
}

export function walk<T>(program: Program<T>): Walk<T> {
  return {
    before: (action) => {
      for (;;) {
        const next = program.next();
        if (next.done) throw new Error(`it ended without "${action}": ${JSON.stringify(next.value)}`);
        if (next.value.startsWith(action)) return;
      }
    },
    end: () => {
      for (;;) {
        const next = program.next();
        if (next.done) return next.value;
      }
    },
  };
}

/** One of our protocols as such a program: its actions are called `link 00000002`, `rename c.ab12` and so on. */
export function* program<T>(steps: Steps<T>, files: Files): Program<T> {
  let next = steps.next();
  while (!next.done) {
    const [name, ...args] = next.value;
    yield `${name} ${path.basename(String(name === 'link' ? args[1] : (args[0] ?? '')))}`;
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

/** What `look` sees at every point at which a program can be halted; it is never woken. */
export function everyCrash<T, R>(prepare: () => { first: Program<T>; look: () => R }): R[] {
  const seen: R[] = [];
  for (let at = 0; ; at++) {
    const { first, look } = prepare();
    for (let step = 0; step < at; step++) first.next();
    if (first.next().done) return seen;
    seen.push(look());
  }
}

/** The two results for every point at which the first can be halted while the other runs to its end. */
export function everyHalt<T, U>(prepare: () => { first: Program<T>; other: () => U }): [T, U][] {
  const results: [T, U][] = [];
  everyCrash(() => {
    const { first, other } = prepare();
    return {
      first,
      look: () => {
        const seen = other();
        results.push([walk(first).end(), seen]);
      },
    };
  });
  return results;
}
