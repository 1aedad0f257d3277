/** The only place where state changes: one event at a time, in place. Throws when an event cannot happen. */
import { edgesOf } from './net.js';
import { attemptsOf, NEVER_RUN, NOTICES_MAX, type State } from './state.js';
import { isLive, isSettled, nextStatus } from './transitions.js';
import type { ByHand, Event, FileEvent, JobEvent, JobState, LiveState, Millis } from './words.js';

/** Applies an event that was decided, or read from a journal, with the time of its record. */
export function apply(state: State, event: Event, at: Millis): void {
  const { run } = state;
  switch (event.type) {
    case 'begun':
      run.mode = event.mode;
      run.limit = event.limit;
      run.keepGoing = event.keepGoing;
      run.failFast = event.failFast ?? false;
      run.stopping = null;
      run.paused = null;
      run.closed = null;
      // What is abended now was known to whoever began: it does not stop what does not depend on it.
      state.stoppers.clear();
      return;
    case 'stopping':
      run.stopping = event.by;
      return;
    case 'paused':
      run.paused = event.shortage;
      return;
    case 'unpaused':
      run.paused = null;
      return;
    case 'closed':
      run.closed = event.as;
      return;
    case 'version':
      run.file = event.outcome === 'taken' || event.outcome === 'restored' ? null : event;
      if (event.outcome === 'taken') changeRows(state, event);
      note(state, event, at);
      return;
    case 'edit':
      if (event.outcome === 'held') state.heldEdits.set(event.job, event.to);
      note(state, event, at);
      return;
    case 'watching':
      run.watching = event;
      return;
    case 'unwritten':
      run.unwritten = event.code;
      note(state, event, at);
      return;
    case 'written':
      run.unwritten = null;
      run.inPlace = event.inPlace;
      note(state, event, at);
      return;
    case 'launcher-started': {
      const { type: _, ...identity } = event;
      state.launchers.set(event.launcher, identity);
      return;
    }
    default:
      applyToJob(state, event, at);
  }
}

function note(state: State, event: FileEvent | ByHand, at: Millis): void {
  state.notices.push({ at, event });
  if (state.notices.length > NOTICES_MAX) state.notices.shift();
}

function applyToJob(state: State, event: JobEvent, at: Millis): void {
  const index = state.net.indexes.get(event.job);
  const before = (index === undefined ? state.departed.get(event.job) : state.jobs[index]) ?? NEVER_RUN;
  if (nextStatus(before.status, event.type) === null || !fits(before, event)) {
    throw new Error(`impossible: ${event.type} on ${event.job}, which is ${JSON.stringify(before)}`);
  }
  const after = changed(before, event, at);
  if (index === undefined) state.departed.set(event.job, after);
  else replace(state, index, before, after);
  track(state, event, after);
  if (isByHand(event)) note(state, event, at);
}

function isByHand(event: JobEvent): event is ByHand {
  return event.type === 'abended' ? event.reason.kind === 'by-hand' : 'by' in event;
}

function changeRows(state: State, { added, removed }: Extract<FileEvent, { outcome: 'taken' }>): void {
  for (const job of added) state.rowless.delete(job);
  for (const job of removed) {
    state.rowless.add(job);
    state.asked.delete(job);
    state.heldEdits.delete(job);
  }
}

/** What holds launches back, what a person asked for, what waits for a person. */
function track(state: State, event: JobEvent, after: JobState): void {
  const { job } = event;
  if (after.status === 'abended') state.stoppers.add(job);
  else state.stoppers.delete(job);
  if (event.type === 'rerun' && event.by) state.asked.add(job);
  else if (after.status !== 'waiting' && after.status !== 'intended') state.asked.delete(job);
  state.heldEdits.delete(job);
}

/** A new attempt takes the next number; anything else speaks of the attempt that the job is in. */
function fits(before: JobState, event: JobEvent): boolean {
  if (!('attempt' in event)) return true;
  if (before.status === 'outside' || (event.type === 'abended' && event.reason.kind === 'by-hand')) {
    return event.attempt === attemptsOf(before);
  }
  const expected = before.status === 'waiting' ? before.attempts + 1 : attemptsOf(before);
  // A job found abended or lost in a CSV without a journal has had no attempt of this run.
  return (
    event.attempt === expected ||
    (before.status === 'waiting' && event.attempt === 0 && before.attempts === 0)
  );
}

function changed(before: JobState, event: JobEvent, at: Millis): JobState {
  switch (event.type) {
    case 'intended':
      return { status: 'intended', attempt: event.attempt, script: event.script };
    case 'launching':
      return { status: 'launching', attempt: event.attempt, startedAt: at, script: event.script };
    case 'running': {
      const script = 'script' in before ? before.script : '';
      const killing = 'killing' in before ? { killing: before.killing! } : {};
      return {
        status: 'running',
        attempt: event.attempt,
        startedAt: startOf(before) ?? at,
        script,
        ...killing,
      };
    }
    case 'kill-requested': {
      const { cause, signal, graceMs } = event;
      return { ...(before as LiveState), killing: { cause, signal, graceMs, at } };
    }
    case 'ended': {
      const startedAt = event.startedAt ?? startOf(before);
      const { attempt, endedAt = at } = event;
      return { status: 'ended', attempt, startedAt, endedAt, ...flagsOf(event) };
    }
    case 'abended': {
      if (event.reason.kind === 'by-hand')
        return { ...lastAttempt(before), status: 'abended', reason: event.reason };
      const startedAt = event.startedAt ?? startOf(before);
      const { attempt, reason, endedAt = at } = event;
      return { status: 'abended', attempt, startedAt, endedAt, reason, ...flagsOf(event) };
    }
    case 'not-started':
      return { status: 'waiting', attempts: event.attempt };
    case 'kept':
      return { status: 'ended', attempt: 0, startedAt: null, endedAt: null };
    case 'rerun':
      return { status: 'waiting', attempts: attemptsOf(before) };
    case 'skipped':
      return { status: 'skipped', attempts: attemptsOf(before) };
    case 'settled':
      return { ...lastAttempt(before), status: 'ended', byHand: true };
    case 'outside':
      return { status: 'outside', attempts: attemptsOf(before), since: at };
  }
}

/** A person changes what counts, not what happened. */
function lastAttempt(before: JobState) {
  const isOver = before.status === 'ended' || before.status === 'abended';
  const { startedAt, endedAt } = isOver ? before : { startedAt: null, endedAt: null };
  return { attempt: attemptsOf(before), startedAt, endedAt };
}

function flagsOf({ hasScriptChanged, left }: Extract<JobEvent, { type: 'ended' | 'abended' }>) {
  return { ...(hasScriptChanged ? { hasScriptChanged } : {}), ...(left ? { left } : {}) };
}

function startOf(own: JobState): Millis | null {
  return own.status === 'launching' || own.status === 'running' ? own.startedAt : null;
}

function replace(state: State, index: number, before: JobState, after: JobState): void {
  state.jobs[index] = after;
  state.counts[before.status]--;
  state.counts[after.status]++;
  if (after.status === 'intended') state.intended.add(index);
  else if (before.status === 'intended') state.intended.delete(index);
  if (isLive(after.status)) state.live.add(index);
  else state.live.delete(index);
  if (isSettled(after.status) !== isSettled(before.status)) {
    if (isSettled(after.status)) settle(state, index);
    else unsettle(state, index);
  }
  if (after.status === 'waiting' && state.unsettled[index] === 0) state.ready.push(index);
}

function settle(state: State, index: number): void {
  for (const successor of edgesOf(state.net.successors, index)) {
    const left = --state.unsettled[successor]!;
    if (left === 0 && state.jobs[successor]!.status === 'waiting') state.ready.push(successor);
  }
}

/** Successors that already run or ran are left alone; those in the queue are not ready any more. */
function unsettle(state: State, index: number): void {
  for (const successor of edgesOf(state.net.successors, index)) state.unsettled[successor]!++;
}
