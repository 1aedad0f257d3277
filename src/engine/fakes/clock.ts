/** A clock that stands still until it is told to go on. */
import type { Millis } from '../../core/words.js';
import type { Clock } from '../ports.js';

export interface FakeClock extends Clock {
  /** Lets time pass; what falls due calls back in its order, each at its own time. */
  advance(ms: number): void;
  /** When the timers that are set fall due, the first one first. */
  dueTimes(): Millis[];
}

interface Timer {
  readonly due: Millis;
  readonly callback: () => void;
}

export function createFakeClock(start: Millis = 0): FakeClock {
  let now = start;
  const timers = new Set<Timer>();

  function after(ms: number, callback: () => void): () => void {
    const timer = { due: now + Math.max(0, ms), callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  }

  function advance(ms: number): void {
    const end = now + ms;
    for (let timer = first(); timer && timer.due <= end; timer = first()) {
      now = timer.due;
      timers.delete(timer);
      timer.callback();
    }
    now = end;
  }

  /** Of timers due at the same time the one set first: sets keep the order of insertion. */
  function first(): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of timers) if (!found || timer.due < found.due) found = timer;
    return found;
  }

  return {
    now: () => now,
    after,
    advance,
    dueTimes: () => Array.from(timers, ({ due }) => due).sort((a, b) => a - b),
  };
}
