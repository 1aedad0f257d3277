/** How long a write waits for others to share it: at most one in a second, or in ten times what the last one took. */
import type { Millis } from '../core/words.js';
import type { Clock } from '../engine/ports.js';

const GAP_MS = 1000;
const GAP_FACTOR = 10;
const GAP_MS_MAX = 60_000;

export interface Gathering {
  /** Until the next write may begin. */
  delayMs(): number;
  /** What waits at the end does not wait longer than this. */
  retryMs(): number;
  /** Without success: the next try is a gap away. */
  tried(): void;
  written(began: Millis): void;
}

export function createGathering(clock: Clock): Gathering {
  let gapMs = GAP_MS;
  let last: Millis | null = null;

  function delayMs(): number {
    if (last === null) return 0;
    // The clock of the machine may be set: the wait is never longer than the gap itself.
    return Math.max(0, gapMs - Math.max(0, clock.now() - last));
  }

  function written(began: Millis): void {
    last = clock.now();
    gapMs = Math.min(Math.max(GAP_MS, GAP_FACTOR * (last - began)), GAP_MS_MAX);
  }

  return {
    delayMs,
    retryMs: () => Math.min(gapMs, GAP_MS),
    tried: () => {
      last = clock.now();
    },
    written,
  };
}
