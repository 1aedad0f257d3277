/** Which runs are kept: whole runs only, checked at the end of a run. */
import { rmSync } from 'node:fs';
import type { Millis } from '../core/words.js';
import { listRuns, type RunFolder, readSummary } from './runs.js';
import type { StateFolder } from './statefolder.js';

export const KEPT_RUNS = 30;
export const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Runs that may go: neither among the newest nor young, over (with a summary), and not the last that failed.
 */
export function expiredRuns(state: StateFolder, now: Millis): RunFolder[] {
  const runs = listRuns(state);
  const lastFailed = runs.find((run) => readSummary(run)?.state === 'abended');
  return runs.slice(KEPT_RUNS).filter((run) => {
    const summary = readSummary(run);
    return run !== lastFailed && summary !== null && now - summary.startedAt > KEPT_DAYS * DAY_MS;
  });
}

/** Removes them; returns what was removed. */
export function removeExpiredRuns(state: StateFolder, now: Millis): RunFolder[] {
  const expired = expiredRuns(state, now);
  for (const run of expired) rmSync(run.path, { recursive: true, force: true });
  return expired;
}
