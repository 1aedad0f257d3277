/** Requests to end jobs, as operators make them, and what came of them. */
import { liveJobs } from '../../core/kill.js';
import { type StatusWord, statusWord } from '../../core/project.js';
import { attemptsOf, jobState, type State } from '../../core/state.js';
import { isLive } from '../../core/transitions.js';
import type { JobName, KillCause, KillRequest, Reason } from '../../core/words.js';
import type { End } from './ends.js';

/** What `jobnet kill` and `jobnet stop --kill` send. */
export interface KillArgs {
  /** Null: all that run. */
  readonly jobs: readonly JobName[] | null;
  readonly signal: string;
  readonly graceMs: number;
  readonly user: string;
}

/** What came of it for one job. */
export type Killed =
  | { readonly job: JobName; readonly outcome: 'unknown' | 'never-run' }
  /** Nothing of it ran; `status` is what it was. */
  | { readonly job: JobName; readonly outcome: 'not-running'; readonly status: StatusWord }
  | { readonly job: JobName; readonly outcome: 'killed'; readonly attempt: number; readonly reason: Reason }
  /** It was over by itself before it could be asked. */
  | {
      readonly job: JobName;
      readonly outcome: 'over';
      readonly attempt: number;
      readonly reason: Reason | null;
    };

/** Throws a TypeError that says which field is wrong: requests come from outside. */
export function parseKillArgs(args: Readonly<Record<string, unknown>>): KillArgs {
  const { jobs, signal, graceMs, user } = args;
  if (jobs !== null && !(Array.isArray(jobs) && jobs.every((job) => typeof job === 'string')))
    throw new TypeError('jobs is a list of names, or null');
  if (typeof signal !== 'string' || !/^[A-Z0-9]{2,10}$/.test(signal))
    throw new TypeError('signal is the name of a signal');
  if (typeof graceMs !== 'number' || !(graceMs >= 0)) throw new TypeError('graceMs is a number');
  if (typeof user !== 'string') throw new TypeError('user is a text');
  return { jobs, signal, graceMs, user };
}

export function requestOf({ signal, graceMs, user }: KillArgs, kind: 'operator' | 'stop'): KillRequest {
  const cause: KillCause = { kind, user };
  return { cause, signal, graceMs };
}

/** An attempt that is to be ended. */
export interface Target {
  readonly job: JobName;
  readonly attempt: number;
}

/** The jobs meant: those that run, and what there is to say of the rest. */
export function sortedOut(state: State, jobs: KillArgs['jobs']): { running: Target[]; rest: Killed[] } {
  const running: Target[] = [];
  const rest: Killed[] = [];
  for (const job of new Set(jobs ?? liveJobs(state))) {
    const own = jobState(state, job);
    if (!own) rest.push({ job, outcome: 'unknown' });
    else if (isLive(own.status)) running.push({ job, attempt: attemptsOf(own) });
    else rest.push({ job, outcome: 'not-running', status: statusWord(own, false) });
  }
  return { running, rest };
}

export function outcomeOf(end: End): Killed {
  const { job, attempt } = end;
  if (end.type !== 'abended') return { job, outcome: 'over', attempt, reason: null };
  return { job, outcome: end.reason.kind === 'killed' ? 'killed' : 'over', attempt, reason: end.reason };
}
