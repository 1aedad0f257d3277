/** Gathers what is left of an attempt that nobody watched, for `judge`. Looks at life first, at the records second. */
import { writeFileSync } from 'node:fs';
import type { LauncherIdentity } from '../core/words.js';
import { hasCode } from '../host/durable.js';
import { bootId, readStat } from '../host/identity.js';
import { findMarked, type Marker } from '../host/marked.js';
import { exitsFolder, logPath } from './attempts.js';
import { readStart } from './inspect.js';
import { type Evidence, type Finding, judge } from './judge.js';
import { openLifeline } from './lifelines.js';
import { createMentionReader, type Mention, type Mentions } from './records.js';

export interface RunTraces {
  readonly runFolder: string;
  readonly marker: Marker;
  readonly launchers: ReadonlyMap<string, LauncherIdentity>;
  /** Launchers of lower epochs ran for another folder, of which this one is a copy: nothing can be known of them. */
  readonly foreignBelow?: number;
}

export interface AttemptId {
  readonly job: string;
  readonly attempt: number;
}

/** An attempt whose end is asked for. */
export interface Sought extends AttemptId {
  /** Whether it may have been given to this launcher; without it, to any. */
  readonly mayBeWith?: (launcher: string) => boolean;
}

export interface Judged extends AttemptId {
  readonly finding: Finding;
  /** Processes that prove life. */
  readonly pids: readonly number[];
  /** The launcher whose record says that it started it. */
  readonly launcher: string | null;
  /** When the launcher that recorded its exit wrote last: about the end of an attempt that exited. */
  readonly writtenAt: number | null;
}

/** Judges attempts in flight by one look at the processes of this machine. Changes nothing. */
export function judgeAttempts(traces: RunTraces, attempts: readonly Sought[]): Judged[] {
  return createJudge(traces.runFolder)(traces, attempts);
}

/** The same, for many looks at one run: what cannot have changed is not read again. */
export function createJudge(runFolder: string): typeof judgeAttempts {
  const mentions = createMentionReader(exitsFolder(runFolder));
  return (traces, attempts) => judgeBy(mentions, traces, attempts);
}

function judgeBy(readMentions: () => Mentions, traces: RunTraces, attempts: readonly Sought[]): Judged[] {
  if (attempts.length === 0) return [];
  // Life first: an end that falls between the two looks is then found in the records.
  const alive = new Map(
    Array.from(traces.launchers, ([name, identity]) => [name, isLauncherAlive(identity)]),
  );
  const held = new Map(Array.from(traces.launchers, ([name, identity]) => [name, isHeld(identity)]));
  const marked = findMarked(traces.marker);
  const { byAttempt: mentions, last } = readMentions();
  // A launcher in the middle of another attempt does not have this one in hand.
  const free = [...alive].flatMap(([name, lives]) => (lives && last.get(name) !== 'S' ? [name] : []));
  const newest = [...traces.launchers.keys()].at(-1) ?? null;
  return attempts.map(({ job, attempt, mayBeWith = () => true }) => {
    const own = mentions.get(`${job}.${attempt}`) ?? [];
    const exit = own.find(({ record }) => record.kind === 'E');
    const starter = starterOf(own);
    const pids = marked.filter((one) => one.job === job && one.attempt === attempt).map((one) => one.pid);
    const evidence: Evidence = {
      isSameBoot: isOfThisBoot(traces, starter ?? newest),
      records: {
        exitCode: exit?.record.code ?? null,
        hasStarted: starter !== null,
        wasTurnedAway: own.some(({ record }) => 'FNX'.includes(record.kind)),
      },
      log: logState(logPath(traces.runFolder, job, attempt)),
      isLauncherAlive: starter ? (alive.get(starter) ?? false) : free.some(mayBeWith),
      isAnybodyLeft: pids.length > 0 || (starter !== null && (held.get(starter) ?? false)),
    };
    const launcherPid = starter ? traces.launchers.get(starter)?.pid : undefined;
    const proof = pids.length > 0 || launcherPid === undefined ? pids : [launcherPid];
    const writtenAt = exit?.writtenAt ?? null;
    return { job, attempt, finding: judge(evidence), pids: proof, launcher: starter, writtenAt };
  });
}

/**
 * A run may have seen several boots, and keeps the launchers of all of them. What is in flight was launched by the
 * last controller, whose launchers are the newest; before its first one nothing can have been fed.
 */
function isOfThisBoot({ launchers, foreignBelow = 0 }: RunTraces, launcher: string | null): boolean {
  if (launcher !== null && Number.parseInt(launcher, 10) < foreignBelow) return false;
  const identity = launcher === null ? undefined : launchers.get(launcher);
  return identity === undefined || identity.bootId === bootId();
}

/** The launcher whose last word on the attempt is that it started it. */
function starterOf(mentions: readonly Mention[]): string | null {
  const last = new Map(mentions.map((mention) => [mention.launcher, mention.record.kind]));
  for (const [launcher, kind] of last) if (kind === 'S') return launcher;
  return null;
}

/** Nothing will come from this launcher any more but what its records say already. */
export function isGone(identity: LauncherIdentity): boolean {
  return !isLauncherAlive(identity) && !isHeld(identity);
}

function isLauncherAlive({ pid, startTime, bootId: boot }: LauncherIdentity): boolean {
  if (boot !== bootId()) return false;
  const stat = readStat(pid);
  return stat !== null && stat.startTime === startTime && stat.life !== 'dead';
}

function isHeld({ lifeline }: LauncherIdentity): boolean {
  try {
    const opened = openLifeline(lifeline);
    try {
      return opened.isHeld();
    } finally {
      opened.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** What a controller writes into the log of an attempt that must never start. */
const VOID_MARK = 'void ';

function logState(log: string): Evidence['log'] {
  try {
    return readStart(log, VOID_MARK.length).toString('latin1') === VOID_MARK ? 'void' : 'present';
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'none';
    throw error;
  }
}

/** Takes the claim of an attempt, so that it never starts; false: somebody was faster, look at the records again. */
export function voidAttempt(runFolder: string, { job, attempt }: AttemptId, epoch: number): boolean {
  try {
    writeFileSync(logPath(runFolder, job, attempt), `${VOID_MARK}${epoch}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
