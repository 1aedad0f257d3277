/** The clocks that leases are judged by. */
import { readFileSync } from 'node:fs';
import type { Moment } from './steps.js';

export function now(): Moment {
  const unix = Date.now();
  // Not performance.now(): that begins anew in every thread.
  return { steady: Number(process.hrtime.bigint()) / 1e6, awake: sinceBoot() ?? unix, unix };
}

/**
 * Sleep of the machine included (proc(5)). Null where the system does not tell: then Unix time takes its place, which
 * ends trust too early when it is set forward, and never too late, as the steady clock counts besides.
 */
function sinceBoot(): number | null {
  if (process.platform !== 'linux') return null;
  return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000;
}

/** How much time has passed for a holder: the larger of what its clocks say. */
export function passedSince(then: Moment, at: Moment): number {
  return Math.max(at.steady - then.steady, at.awake - then.awake);
}
