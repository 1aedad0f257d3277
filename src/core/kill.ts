/** Ending jobs on request: who is asked, and what becomes of them. */
import { jobState, type State } from './state.js';
import { isLive } from './transitions.js';
import type { Event, JobName, KillCause, KillRequest, Millis, Reason, Report } from './words.js';

/** How long a job that is asked to end may take before it is ended by force. */
export const GRACE_MS = 10_000;

/** @param jobs null: all that have an attempt under way */
export function killEvents(
  state: State,
  { jobs, request }: { readonly jobs: readonly JobName[] | null; readonly request: KillRequest },
  at: Millis,
): Event[] {
  const wanted = jobs ?? [...liveJobs(state)];
  return wanted.flatMap((job): Event[] => {
    const own = jobState(state, job);
    if (own?.status !== 'launching' && own?.status !== 'running') return [];
    if (own.killing && !isSooner(request, at, own.killing)) return [];
    return [{ type: 'kill-requested', job, attempt: own.attempt, ...request }];
  });
}

/** Asked twice is asked once, unless the second time wants it to be over sooner. */
function isSooner(request: KillRequest, at: Millis, before: KillRequest & { readonly at: Millis }): boolean {
  return forceAt(request, at) < forceAt(before, before.at);
}

/** When KILL is sent. */
export function forceAt({ signal, graceMs }: KillRequest, at: Millis): Millis {
  return signal === 'KILL' ? at : at + graceMs;
}

/** Jobs that have an attempt under way, also those without a row. */
export function* liveJobs({ net, live, departed }: State): Iterable<JobName> {
  for (const index of live) yield net.names[index]!;
  for (const [job, { status }] of departed) if (isLive(status)) yield job;
}

/** What was asked to end is killed, whatever it returns. */
export function killed(cause: KillCause, report: Report): Reason {
  const code = report.kind === 'exited' || report.kind === 'killed' ? report.code : null;
  const survivors = report.kind === 'killed' ? report.survivors : [];
  return { kind: 'killed', cause, code, ...(survivors.length > 0 ? { survivors } : {}) };
}
