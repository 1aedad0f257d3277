/** What follows from an input: events, and nothing else. Reads state, changes nothing, knows no clock. */
import { acceptEvents, versionEvents } from './edits.js';
import { GRACE_MS, killEvents, killed } from './kill.js';
import { attemptsOf, isAllSettled, isHeldBack, isReady, jobState, type State } from './state.js';
import { isLive } from './transitions.js';
import type {
  Event,
  FileEvent,
  Input,
  JobName,
  JobState,
  Millis,
  Reason,
  Report,
  RunEnd,
  Shortage,
  Verdict,
} from './words.js';

export function decide(state: State, input: Input): Event[] {
  if (state.run.closed && input.type !== 'begin' && input.type !== 'abandon') return [];
  switch (input.type) {
    case 'begin':
      return [...(input.mode === 'resume' ? lostOutside(state) : []), begun(input)];
    case 'import':
      return importEvents(input.job, input.status);
    case 'rerun':
      return jobState(state, input.job)?.status === 'abended' ? [{ type: 'rerun', job: input.job }] : [];
    case 'inspected':
      return inspectedEvents(state, input.job, input.verdict, input.ahead);
    case 'report':
      return reportEvents(state, input.job, input.attempt, input.report);
    case 'launcher':
      return [{ type: 'launcher-started', ...input.identity }];
    case 'kill':
      return killEvents(state, input, input.at);
    case 'stop':
      return state.run.stopping ? [] : [{ type: 'stopping', by: input.by }];
    case 'idle':
      return idleEvents(state, input.at);
    case 'version':
      return versionEvents(state, input.edits, input.isAccepted);
    case 'file':
      return isOldNews(state, input.event) ? [] : [input.event];
    case 'accept':
      return acceptEvents(state);
    case 'abandon':
      return isAllSettled(state) || state.run.closed === 'abandoned'
        ? []
        : [{ type: 'closed', as: 'abandoned' }];
  }
}

function begun({ mode, limit, keepGoing, failFast }: Input & { type: 'begin' }): Event {
  return { type: 'begun', mode, limit, keepGoing, ...(failFast ? { failFast } : {}) };
}

/** Nobody watched what was started outside: how it ended cannot be learned any more. */
function lostOutside(state: State): Event[] {
  if (state.counts.outside === 0) return [];
  return state.net.names.flatMap((job, index): Event[] => {
    const own = state.jobs[index]!;
    if (own.status !== 'outside') return [];
    return [{ type: 'abended', job, attempt: own.attempts, reason: { kind: 'lost' }, endedAt: null }];
  });
}

/** The same trouble is one event, however often it is found again. */
function isOldNews({ run }: State, event: FileEvent): boolean {
  switch (event.type) {
    case 'version':
      return event.outcome === 'restored' ? run.file === null : isSame(run.file, event);
    case 'watching':
      return isSame(run.watching, event);
    case 'unwritten':
      return run.unwritten === event.code;
    case 'written':
      return run.unwritten === null && run.inPlace === event.inPlace;
    case 'edit':
      return false;
  }
}

function isSame(known: FileEvent | null, event: FileEvent): boolean {
  return JSON.stringify(known) === JSON.stringify(event);
}

/** A row of a CSV that came without a journal: 0 counts as settled, 1 as abended, 2 has no proof and is lost. */
function importEvents(job: JobName, status: '0' | '1' | '2'): Event[] {
  if (status === '0') return [{ type: 'kept', job }];
  const reason = status === '1' ? ({ kind: 'from-csv' } as const) : ({ kind: 'lost' } as const);
  return [{ type: 'abended', job, attempt: 0, reason, endedAt: null }];
}

/** What the caller of `nextLaunch` may do. */
export interface LaunchChance {
  /** Something is going to be synced anyway, so the launch of a job may be recorded before a slot is free. */
  readonly recordAhead: boolean;
  /** In a shortage: one more try is due. */
  readonly retry: boolean;
}

/** The job that a free slot would get, or whose launch may be recorded ahead of a slot; null: none. */
export function nextLaunch(state: State, chance: LaunchChance): { job: JobName; ahead: boolean } | null {
  const { run } = state;
  if (run.stopping || run.closed || (run.paused && !chance.retry)) return null;
  const free = state.live.size < run.limit;
  if (isHeldBack(state)) return free ? nextAsked(state) : null;
  if (free) {
    // Sets keep the order of insertion: the first intent is the oldest. A person may have taken a predecessor back.
    for (const index of state.intended) {
      if (state.unsettled[index] === 0) return { job: state.net.names[index]!, ahead: false };
    }
  } else if (!chance.recordAhead || state.intended.size >= state.run.limit) return null;
  const index = state.ready.peek((candidate) => isReady(state, candidate));
  return index === null ? null : { job: state.net.names[index]!, ahead: !free };
}

/** What a person asked for starts in spite of an abend. */
function nextAsked(state: State): { job: JobName; ahead: boolean } | null {
  for (const job of state.asked) {
    const index = state.net.indexes.get(job);
    if (index === undefined || state.unsettled[index] !== 0) continue;
    if (isReady(state, index) || state.intended.has(index)) return { job, ahead: false };
  }
  return null;
}

function inspectedEvents(state: State, job: JobName, verdict: Verdict, ahead: boolean): Event[] {
  const own = jobState(state, job);
  if (own?.status !== 'waiting' && own?.status !== 'intended') return [];
  const attempt = own.status === 'waiting' ? own.attempts + 1 : own.attempt;
  switch (verdict.kind) {
    case 'startable': {
      const { script, interpreter } = verdict;
      const launch: Event = { type: ahead ? 'intended' : 'launching', job, attempt, script, interpreter };
      // A folder that is back is proof by itself; whether processes can be made shows when one has been.
      return state.run.paused?.kind === 'folder-gone' ? [{ type: 'unpaused' }, launch] : [launch];
    }
    case 'refused':
      return [{ type: 'abended', job, attempt, reason: verdict }];
    case 'shortage':
      return pauseEvents(state, verdict.shortage);
  }
}

function reportEvents(state: State, job: JobName, attempt: number, report: Report): Event[] {
  const own = jobState(state, job);
  // A report on an attempt that is over says nothing new: answers may come twice after a crash.
  if (!own || attemptsOf(own) !== attempt || !isOnItsWay(own)) return [];
  if ('killing' in own && report.kind !== 'running') {
    return [
      { type: 'abended', job, attempt, reason: killed(own.killing!.cause, report), ...timesOf(report) },
    ];
  }
  switch (report.kind) {
    case 'running':
      return own.status === 'running' ? [] : [{ type: 'running', job, attempt }, ...unpauseEvents(state)];
    case 'exited': {
      const circumstances = {
        ...timesOf(report),
        ...(report.script === undefined || report.script === own.script
          ? {}
          : { hasScriptChanged: true as const }),
        ...(report.left && report.left.length > 0 ? { left: report.left } : {}),
      };
      const { code } = report;
      const isNormal = code === 0 && !report.hasReportedFailure;
      const reason: Reason = report.hasReportedFailure ? { kind: 'reported', code } : { kind: 'exit', code };
      const end: Event = isNormal
        ? { type: 'ended', job, attempt, ...circumstances }
        : { type: 'abended', job, attempt, reason, ...circumstances };
      return [end, ...unpauseEvents(state)];
    }
    case 'lost':
    // Nobody asked for it, so nobody of ours did it.
    case 'killed':
      return [{ type: 'abended', job, attempt, reason: { kind: 'lost' }, endedAt: null }];
    case 'refused':
      return [{ type: 'abended', job, attempt, reason: report }];
    case 'not-started': {
      const pause = report.shortage ? pauseEvents(state, report.shortage) : [];
      return [{ type: 'not-started', job, attempt, cause: report.cause }, ...pause];
    }
  }
}

function timesOf(report: Report): { endedAt?: Millis; startedAt?: Millis } {
  if (report.kind !== 'exited') return {};
  const { endedAt, startedAt } = report;
  return { ...(endedAt === undefined ? {} : { endedAt }), ...(startedAt === undefined ? {} : { startedAt }) };
}

function isOnItsWay(own: JobState): own is JobState & { status: 'intended' | 'launching' | 'running' } {
  return own.status === 'intended' || isLive(own.status);
}

/** One record, and one alarm, however often it is tried again. */
function pauseEvents(state: State, shortage: Shortage): Event[] {
  return state.run.paused?.kind === shortage.kind ? [] : [{ type: 'paused', shortage }];
}

function unpauseEvents(state: State): Event[] {
  return state.run.paused ? [{ type: 'unpaused' }] : [];
}

/** Called when nothing can be launched now: closes a run in which nothing is left to wait for. */
function idleEvents(state: State, at: Millis): Event[] {
  if (state.run.failFast && isHeldBack(state)) {
    const request = { cause: { kind: 'fail-fast' }, signal: 'TERM', graceMs: GRACE_MS } as const;
    const kills = killEvents(state, { jobs: null, request }, at);
    if (kills.length > 0) return kills;
  }
  if (
    state.run.mode === null ||
    state.live.size > 0 ||
    nextLaunch(state, { recordAhead: false, retry: true })
  )
    return [];
  // Recorded ahead and never given to a launcher: the number is used up, as numbers are never used again.
  const withdrawn = Array.from(state.intended, (index): Event => {
    const attempt = attemptsOf(state.jobs[index]!);
    return { type: 'not-started', job: state.net.names[index]!, attempt, cause: 'the run closed first' };
  });
  return [...withdrawn, { type: 'closed', as: endOf(state) }];
}

function endOf(state: State): RunEnd {
  if (isAllSettled(state)) return 'ended';
  if (state.counts.abended > 0) return 'abended';
  return 'stopped';
}
