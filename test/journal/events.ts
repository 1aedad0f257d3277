/** Any event that can be recorded. */
import fc from 'fast-check';
import type { Event, JobEvent, KillCause, Reason, ScriptProblem, Shortage } from '../../src/core/words.js';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const job = text;
const attempt = fc.nat();
const millis = fc.nat(2 ** 42);
const path = text;

const problemsByKind = {
  missing: fc.record({ kind: fc.constant('missing' as const), paths: fc.array(path) }),
  'not-a-file': fc.record({
    kind: fc.constant('not-a-file' as const),
    path,
    found: fc.constantFrom('folder' as const, 'other' as const),
  }),
  'not-executable': fc.record({ kind: fc.constant('not-executable' as const), path, mode: text }),
  unreachable: fc.record({ kind: fc.constant('unreachable' as const), path, code: text }),
  empty: fc.record({ kind: fc.constant('empty' as const), path }),
  'carriage-return': fc.record({ kind: fc.constant('carriage-return' as const), path }),
  'byte-order-mark': fc.record({ kind: fc.constant('byte-order-mark' as const), path }),
  'interpreter-missing': fc.record({
    kind: fc.constant('interpreter-missing' as const),
    path,
    interpreter: path,
  }),
  'start-failed': fc.record({ kind: fc.constant('start-failed' as const), message: text }),
} satisfies { [K in ScriptProblem['kind']]: fc.Arbitrary<Extract<ScriptProblem, { kind: K }>> };

const problem: fc.Arbitrary<ScriptProblem> = fc.oneof(...Object.values(problemsByKind));

const cause: fc.Arbitrary<KillCause> = fc.oneof(
  fc.record({ kind: fc.constantFrom('operator' as const, 'stop' as const), user: text }),
  fc.record({
    kind: fc.constant('signal' as const),
    signal: fc.constantFrom('INT' as const, 'TERM' as const),
  }),
  fc.record({ kind: fc.constant('timeout' as const), limitMs: millis }),
  fc.record({ kind: fc.constant('fail-fast' as const) }),
);

const reasonsByKind = {
  exit: fc.record({ kind: fc.constant('exit' as const), code: fc.nat(255) }),
  refused: fc.record({ kind: fc.constant('refused' as const), problem }),
  lost: fc.record({ kind: fc.constant('lost' as const) }),
  'from-csv': fc.record({ kind: fc.constant('from-csv' as const) }),
  reported: fc.record({ kind: fc.constant('reported' as const), code: fc.nat(255) }),
  'by-hand': fc.record({ kind: fc.constant('by-hand' as const) }),
  killed: fc.record(
    {
      kind: fc.constant('killed' as const),
      cause,
      code: fc.option(fc.nat(255)),
      survivors: fc.array(fc.record({ pid: fc.nat(), name: text, state: text })),
    },
    { requiredKeys: ['kind', 'cause', 'code'] },
  ),
} satisfies { [K in Reason['kind']]: fc.Arbitrary<Extract<Reason, { kind: K }>> };

const reason: fc.Arbitrary<Reason> = fc.oneof(...Object.values(reasonsByKind));

const shortagesByKind = {
  'folder-gone': fc.record({ kind: fc.constant('folder-gone' as const), path }),
  resources: fc.record({ kind: fc.constant('resources' as const), message: text }),
} satisfies { [K in Shortage['kind']]: fc.Arbitrary<Extract<Shortage, { kind: K }>> };

const shortage: fc.Arbitrary<Shortage> = fc.oneof(...Object.values(shortagesByKind));

const hand = fc.constantFrom('csv' as const, 'accept' as const);
const status = fc.constantFrom('0' as const, '1' as const, '2' as const, '9' as const);

const launch = { job, attempt, script: text, interpreter: fc.option(path) };

/** The compiler asks for a new line here when there is a new event. */
const byType = {
  intended: fc.record({ type: fc.constant('intended' as const), ...launch }),
  launching: fc.record({ type: fc.constant('launching' as const), ...launch }),
  running: fc.record({ type: fc.constant('running' as const), job, attempt }),
  'kill-requested': fc.record({
    type: fc.constant('kill-requested' as const),
    job,
    attempt,
    cause,
    signal: text,
    graceMs: fc.nat(),
  }),
  ended: fc.record(
    { type: fc.constant('ended' as const), job, attempt, endedAt: millis, startedAt: millis },
    { requiredKeys: ['type', 'job', 'attempt'] },
  ),
  abended: fc.record(
    {
      type: fc.constant('abended' as const),
      job,
      attempt,
      reason,
      endedAt: fc.option(millis),
      startedAt: millis,
    },
    { requiredKeys: ['type', 'job', 'attempt', 'reason'] },
  ),
  'not-started': fc.record({ type: fc.constant('not-started' as const), job, attempt, cause: text }),
  kept: fc.record({ type: fc.constant('kept' as const), job }),
  rerun: fc.record({ type: fc.constant('rerun' as const), job, by: hand }, { requiredKeys: ['type', 'job'] }),
  skipped: fc.record({ type: fc.constant('skipped' as const), job, by: hand }),
  settled: fc.record({ type: fc.constant('settled' as const), job, by: hand }),
  outside: fc.record({ type: fc.constant('outside' as const), job, by: hand }),
  version: fc.oneof(
    fc.record({
      type: fc.constant('version' as const),
      outcome: fc.constant('taken' as const),
      added: fc.array(job),
      removed: fc.array(job),
      redefined: fc.nat(),
    }),
    fc.record({
      type: fc.constant('version' as const),
      outcome: fc.constant('held' as const),
      why: fc.record({ kind: fc.constant('rows-gone' as const), gone: fc.nat(), known: fc.nat() }),
    }),
    fc.record({
      type: fc.constant('version' as const),
      outcome: fc.constant('refused' as const),
      problems: fc.nat(),
      first: fc.constant({ code: 'no-jobs' as const }),
    }),
    fc.record({
      type: fc.constant('version' as const),
      outcome: fc.constant('unreadable' as const),
      code: text,
    }),
    fc.record({ type: fc.constant('version' as const), outcome: fc.constant('restored' as const) }),
  ),
  unwritten: fc.record({ type: fc.constant('unwritten' as const), code: text }),
  written: fc.record({
    type: fc.constant('written' as const),
    inPlace: fc.option(fc.constantFrom('owner' as const, 'folder' as const)),
  }),
  edit: fc.record({
    type: fc.constant('edit' as const),
    job,
    from: status,
    to: status,
    outcome: fc.constantFrom('refused' as const, 'stale' as const, 'held' as const),
  }),
  watching: fc.record({
    type: fc.constant('watching' as const),
    mode: fc.constantFrom('events' as const, 'polling' as const),
    why: fc.record({ kind: fc.constant('network' as const), fileSystem: text }),
  }),
  begun: fc.record({
    type: fc.constant('begun' as const),
    mode: fc.constantFrom('start' as const, 'resume' as const),
    limit: fc.nat(),
    keepGoing: fc.boolean(),
  }),
  stopping: fc.record({
    type: fc.constant('stopping' as const),
    by: fc.constantFrom('INT' as const, 'TERM' as const, 'operator' as const),
  }),
  paused: fc.record({ type: fc.constant('paused' as const), shortage }),
  unpaused: fc.record({ type: fc.constant('unpaused' as const) }),
  closed: fc.record({
    type: fc.constant('closed' as const),
    as: fc.constantFrom('ended' as const, 'abended' as const, 'stopped' as const, 'abandoned' as const),
  }),
  'launcher-started': fc.record({
    type: fc.constant('launcher-started' as const),
    launcher: text,
    pid: fc.nat(),
    startTime: text,
    bootId: text,
    lifeline: path,
  }),
} satisfies { [T in Event['type']]: fc.Arbitrary<Event & { type: T }> };

export const events: fc.Arbitrary<Event> = fc.oneof(...Object.values(byType));

export const EVENT_TYPES = Object.keys(byType);

/** A short form for tests that care for lines, not for what they say. */
export const rerun = (name: string): JobEvent => ({ type: 'rerun', job: name });
