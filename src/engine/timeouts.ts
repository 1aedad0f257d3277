/** Attempts that run for longer than their row allows: one timer, for the one that is due first. */
import type { State } from '../core/state.js';
import type { JobName, Millis } from '../core/words.js';
import type { Clock } from './ports.js';

/** A machine that slept, or whose clock was set, is noticed within this time; longer timers than 24.8 days overflow. */
const SLEEP_MS_MAX = 60_000;

export interface Timeouts {
  /** Something may have started, or the net is another one. O(live), and nothing in a net without limits. */
  look(): void;
  close(): void;
}

/** @param onDue is told of an attempt again at every look until it is over */
export function createTimeouts(
  state: State,
  clock: Clock,
  onDue: (job: JobName, limitMs: Millis) => void,
): Timeouts {
  let cancel: (() => void) | null = null;
  let dueAt: Millis | null = null;

  function look(): void {
    if (state.net.timeouts.size === 0 && dueAt === null) return;
    const now = clock.now();
    let next: Millis | null = null;
    const due: [JobName, Millis][] = [];
    for (const { job, at, limitMs } of deadlines(state)) {
      if (at <= now) due.push([job, limitMs]);
      else next = Math.min(next ?? at, at);
    }
    schedule(next, now);
    for (const [job, limitMs] of due) onDue(job, limitMs);
  }

  function schedule(next: Millis | null, now: Millis): void {
    if (next === dueAt) return;
    cancel?.();
    dueAt = next;
    cancel = next === null ? null : clock.after(Math.min(next - now, SLEEP_MS_MAX), wake);
  }

  function wake(): void {
    dueAt = null;
    look();
  }

  return { look, close: () => cancel?.() };
}

/** Of attempts under way that nobody has asked to end; from their recorded start, whoever recorded it. */
function* deadlines({ net, live, jobs }: State): Iterable<{ job: JobName; at: Millis; limitMs: Millis }> {
  for (const index of live) {
    const job = net.names[index]!;
    const limitMs = net.timeouts.get(job);
    const own = jobs[index]!;
    if (limitMs === undefined || !('startedAt' in own) || own.startedAt === null || 'killing' in own)
      continue;
    yield { job, at: own.startedAt + limitMs, limitMs };
  }
}
