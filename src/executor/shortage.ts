/** What the system lacks at the moment: nothing is wrong with the job, so its launch waits and does not abend. */
import { closeSync, openSync } from 'node:fs';
import type { Report, Shortage } from '../core/words.js';
import { isOfTheSystem, isPassing } from '../host/refusals.js';

export { isOfTheSystem };

/** Null when the system refused the look: that says nothing about what was looked for. */
export function unlessRefused<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (isOfTheSystem(error)) return null;
    throw error;
  }
}

/** Null: it is none. */
export function shortageOf(error: unknown): Shortage | null {
  return isPassing(error) ? shortage(error.message) : null;
}

export function shortage(message: string): Shortage {
  return { kind: 'resources', message };
}

/** An attempt that did not start for want of something. */
export function notStarted(cause: string): Report {
  return { kind: 'not-started', cause, shortage: shortage(cause) };
}

/** Two pipes, and one for the error of the start. */
const DESCRIPTORS_PER_CHILD = 6;

/**
 * Throws EMFILE in time. In the middle of a start execa throws a TypeError instead, and the system's error comes
 * past every handler a moment later and ends the controller (execa 9.6).
 */
export function probeDescriptors(): void {
  const probes: number[] = [];
  try {
    while (probes.length < DESCRIPTORS_PER_CHILD) probes.push(openSync('/dev/null', 'r'));
  } finally {
    for (const fd of probes) closeSync(fd);
  }
}
