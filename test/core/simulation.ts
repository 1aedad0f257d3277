/**
 * The core against a world of its own: a random net, a random history, an engine in miniature that records, crashes,
 * replays and resumes as the real one does. Every choice comes from a list of numbers, so a failure can shrink.
 */
import { adoptNet } from '../../src/core/adopt-net.js';
import { apply } from '../../src/core/apply.js';
import { decide, nextLaunch } from '../../src/core/decide.js';
import { edgesOf, type Net } from '../../src/core/net.js';
import { cellsOf } from '../../src/core/project.js';
import { type RecordedEvent, replay } from '../../src/core/replay.js';
import {
  attemptsInFlight,
  attemptsOf,
  createState,
  indexesByDefinition,
  isHeldBack,
  isReady,
  jobState,
  NEVER_RUN,
} from '../../src/core/state.js';
import { isLive } from '../../src/core/transitions.js';
import type { Event, Input, JobEvent, JobState, Report, RowEdit, Verdict } from '../../src/core/words.js';
import { netOf } from './nets.js';

/** The parts of the core that a planted bug may replace. */
export interface Core {
  readonly decide: typeof decide;
  readonly apply: typeof apply;
  readonly nextLaunch: typeof nextLaunch;
}

export const REAL_CORE: Core = { decide, apply, nextLaunch };

export interface Case {
  /** For each job the indexes of its predecessors, all lower than its own. */
  readonly predecessors: readonly (readonly number[])[];
  readonly limit: number;
  readonly keepGoing: boolean;
  /** Whether jobs may fail, get lost, be refused; else only normal ends happen. */
  readonly mayFail: boolean;
  readonly choices: readonly number[];
}

/** A law that did not hold. */
export class Violation extends Error {
  constructor(
    readonly law: string,
    detail: string,
  ) {
    super(`${law}: ${detail}`);
    this.name = 'Violation';
  }
}

export interface Tally {
  /** STATUS EVENT of every transition that was taken. */
  readonly cells: Map<string, number>;
  readonly facts: Map<string, number>;
}

export function createTally(): Tally {
  return { cells: new Map(), facts: new Map() };
}

const STEPS_MAX = 400;
const SCRIPT: Verdict = { kind: 'startable', script: 'abc', interpreter: null };

/**
 * Runs one case; throws a Violation when a law does not hold.
 * @param watched only this law is checked: what a planted bug breaks besides does not hide it
 */
export function simulate(one: Case, core: Core, tally: Tally, watched: string | null = null): void {
  const net = netOf(one.predecessors);
  const world = createWorld(one, net, core, tally, watched);
  world.begin('start');
  for (let step = 0; step < STEPS_MAX && !world.isOver(); step++) world.step();
  world.drain();
}

function createWorld(one: Case, net: Net, core: Core, tally: Tally, watched: string | null) {
  let state = createState(net);
  /** The net as the file has it: rows come and go, predecessors change. */
  let fileNet = net;
  let clock = 1000;
  let position = 0;
  /** The journal: what is behind `durable` is lost in a crash. */
  const journal: RecordedEvent[] = [];
  let durable = 0;
  /** Attempts that were given to a launcher and are not over, and all that ever were. */
  const alive = new Set<string>();
  const started = new Set<string>();
  const durableIntents = new Map<string, number>();
  let unacted: { event: Event; hasActed: boolean }[] = [];
  let resumes = 0;
  /** Abends that were known when the run began or went on. */
  let oldAbends = new Set<string>();
  /** Jobs that a person asked for since they last abended. */
  const askedAgain = new Set<string>();
  /** From here on everything ends well. */
  let isCalm = !one.mayFail;

  function violate(law: string, detail: string): void {
    if (watched === null || watched === law) throw new Violation(law, detail);
  }

  const choose = (count: number) => (one.choices[position++ % Math.max(1, one.choices.length)] ?? 0) % count;
  const note = (fact: string) => tally.facts.set(fact, (tally.facts.get(fact) ?? 0) + 1);

  function take(input: Input): void {
    for (const event of core.decide(state, input)) {
      if (isJobEvent(event)) beforeEvent(event);
      const hasActed = event.type === 'launching' && durableIntents.get(event.job) === event.attempt;
      core.apply(state, event, input.at);
      journal.push({ event, at: input.at });
      if (hasActed) act(event);
      unacted.push({ event, hasActed });
      afterEvent(event);
    }
  }

  function beforeEvent(event: JobEvent): void {
    const own = ownState(event.job);
    const cell = `${own.status} ${event.type}`;
    tally.cells.set(cell, (tally.cells.get(cell) ?? 0) + 1);
    const wasKilled = event.type === 'abended' && event.reason.kind === 'killed';
    if (
      'killing' in own !== wasKilled &&
      !['running', 'kill-requested', 'rerun'].includes(event.type) &&
      isLive(own.status)
    )
      violate('killed', `${event.type} of ${event.job}, asked to end: ${'killing' in own}`);
    if (event.type !== 'launching' && event.type !== 'intended') return;
    const index = state.net.indexes.get(event.job)!;
    for (const predecessor of edgesOf(state.net.predecessors, index)) {
      const status = state.jobs[predecessor]!.status;
      if (status !== 'ended' && status !== 'skipped') {
        violate('order', `${event.job} is launched while ${state.net.names[predecessor]} is ${status}`);
      }
    }
    const abended = newAbends();
    if (abended > 0 && !one.keepGoing && !askedAgain.has(event.job))
      violate('abend stops', `${event.job} is launched`);
    if (state.run.stopping) violate('stop stops', `${event.job} is launched`);
    if (one.keepGoing && abended > 0) note('launches after an abend');
  }

  /** Jobs that abended since the run began or went on, and still have a row. */
  function newAbends(): number {
    const isNew = (own: JobState, job: string) =>
      own.status === 'abended' && !oldAbends.has(job) && fileNet.indexes.has(job);
    return state.jobs.filter((own, index) => isNew(own, state.net.names[index]!)).length;
  }

  function afterEvent(event: Event): void {
    if (event.type === 'begun')
      oldAbends = new Set(state.net.names.filter((job) => ownState(job).status === 'abended'));
    if ('job' in event && event.type !== 'edit' && ownState(event.job).status !== 'abended')
      oldAbends.delete(event.job);
    remember(event);
    const live = state.jobs.filter(({ status }) => status === 'launching' || status === 'running').length;
    if (live > one.limit) violate('limit', `${live} live attempts, limit ${one.limit}`);
    if (live === one.limit) note('limit reached');
    checkIndexes(event.type);
    if (
      event.type === 'closed' &&
      event.as === 'stopped' &&
      !state.run.stopping &&
      state.counts.outside === 0
    ) {
      violate('progress', 'nobody stopped it, and jobs are left');
    }
    if (event.type === 'closed' && (live > 0 || alive.size > 0)) violate('close', 'attempts are live');
  }

  function remember(event: Event): void {
    if (event.type === 'rerun' && event.by) askedAgain.add(event.job);
    if (event.type === 'abended') askedAgain.delete(event.job);
  }

  function checkIndexes(after: string): void {
    const definition = indexesByDefinition(state);
    for (const key of ['counts', 'live', 'intended', 'unsettled'] as const) {
      if (!isSame(state[key], definition[key])) violate('indexes', `${key} after ${after}`);
    }
  }

  function act(event: Event & { type: 'launching' }): void {
    const id = `${event.job}.${event.attempt}`;
    if (started.has(id)) violate('once', `${id} is started twice`);
    started.add(id);
    alive.add(id);
  }

  /** Makes what was recorded durable, then acts on it. */
  function commit(): void {
    durable = journal.length;
    const batch = unacted;
    unacted = [];
    for (const { event, hasActed } of batch) {
      if (event.type === 'launching' && !hasActed) act(event);
      if (event.type === 'launching') durableIntents.delete(event.job);
      if (event.type !== 'intended') continue;
      const own = ownState(event.job);
      if (own.status === 'intended' && own.attempt === event.attempt)
        durableIntents.set(event.job, event.attempt);
    }
  }

  function pump(isRetry: boolean): void {
    dropLonely();
    let retry = isRetry;
    for (;;) {
      const next = core.nextLaunch(state, { recordAhead: unacted.length > 0, retry });
      if (!next) break;
      checkOrder(next);
      const verdict = verdictFor();
      take({ type: 'inspected', at: ++clock, job: next.job, verdict, ahead: next.ahead });
      if (verdict.kind === 'shortage') break;
      retry = false;
    }
    take({ type: 'idle', at: ++clock });
  }

  /** File order among what is ready, recorded-ahead launches first. */
  function checkOrder({ job, ahead }: { job: string; ahead: boolean }): void {
    // What a person asked for goes first in spite of an abend, in the order of asking.
    if (isHeldBack(state)) return;
    const ready = state.jobs.findIndex((_, index) => isReady(state, index));
    const isIntended = ownState(job).status === 'intended';
    const mayGo = [...state.intended].some((index) => state.unsettled[index] === 0);
    if (!ahead && mayGo && !isIntended) violate('file order', `${job} overtakes an intent`);
    if (!isIntended && state.net.indexes.get(job) !== ready)
      violate('file order', `${job}, but ${state.net.names[ready]} is first`);
  }

  function verdictFor(): Verdict {
    if (isCalm) return SCRIPT;
    switch (choose(12)) {
      case 0:
        return { kind: 'refused', problem: { kind: 'empty', path: 'x' } };
      case 1:
        return { kind: 'shortage', shortage: { kind: 'folder-gone', path: 'x' } };
      default:
        return SCRIPT;
    }
  }

  function report(job: string, attempt: number, found: Report): void {
    const own = ownState(job);
    // Only an attempt that is over leaves the world.
    if (found.kind !== 'running') alive.delete(`${job}.${attempt}`);
    take({ type: 'report', at: ++clock, job, attempt, report: found });
    if (own.status === 'ended' && ownState(job) !== own) violate('ended stays', `${job} by ${found.kind}`);
  }

  function someEnd(): Report {
    if (isCalm) return { kind: 'exited', code: 0 };
    switch (choose(9)) {
      case 0:
        return { kind: 'exited', code: 1 + choose(255) };
      case 5:
        return { kind: 'killed', code: null, survivors: [] };
      case 1:
        return { kind: 'lost' };
      case 2:
        return { kind: 'not-started', cause: 'x' };
      case 3:
        return { kind: 'not-started', cause: 'x', shortage: { kind: 'resources', message: 'x' } };
      case 4:
        return { kind: 'refused', problem: { kind: 'empty', path: 'x' } };
      default:
        return { kind: 'exited', code: 0 };
    }
  }

  function crash(): void {
    note('crashes');
    checkReplay();
    journal.length = durable;
    unacted = [];
    durableIntents.clear();
    state = replay(fileNet, journal);
    adoptNet(state, fileNet);
    // An end that was lost in the crash has not used up what a person asked for.
    askedAgain.clear();
    for (const { event } of journal) remember(event);
    begin('resume');
  }

  /** Replaying the journal gives the state. */
  function checkReplay(): void {
    const again = replay(state.net, journal);
    for (const key of ['jobs', 'run', 'departed', 'stoppers', 'rowless', 'asked', 'heldEdits'] as const) {
      if (!isSame(again[key], state[key])) violate('replay', `${key} differ`);
    }
  }

  function begin(mode: 'start' | 'resume'): void {
    const findings = attemptsInFlight(state).map(({ job, attempt }): [string, number, Report] => {
      const isAlive = alive.has(`${job}.${attempt}`);
      const wasStarted = started.has(`${job}.${attempt}`);
      if (!isAlive && !wasStarted) return [job, attempt, { kind: 'not-started', cause: 'voided' }];
      if (isAlive && choose(3) === 0) {
        note('adopted');
        return [job, attempt, { kind: 'running' }];
      }
      return [job, attempt, someEndAfterCrash()];
    });
    take({ type: 'begin', at: ++clock, mode, limit: one.limit, keepGoing: one.keepGoing });
    for (const [job, attempt, found] of findings) report(job, attempt, found);
    if (mode === 'resume') {
      resumes++;
      for (const job of net.names)
        if (ownState(job).status === 'abended') take({ type: 'rerun', at: ++clock, job });
    } else if (one.mayFail && choose(4) === 0) importSome();
    pump(false);
  }

  /** An attempt that was started ends by itself or is lost; it is never "not started". */
  function someEndAfterCrash(): Report {
    if (!one.mayFail) return { kind: 'exited', code: 0 };
    return choose(3) === 0 ? { kind: 'lost' } : { kind: 'exited', code: choose(2) };
  }

  /** A CSV without a journal: the roots are settled or abended already. */
  function importSome(): void {
    const job = net.names[0]!;
    take({ type: 'import', at: ++clock, job, status: (['0', '1', '2'] as const)[choose(3)]! });
    if (ownState(job).status === 'abended') take({ type: 'rerun', at: ++clock, job });
  }

  function step(): void {
    switch (choose(one.mayFail ? 20 : 8)) {
      case 0:
      case 1:
        commit();
        break;
      case 2:
        confirmOne();
        break;
      case 8:
        if (resumes < 5) crash();
        break;
      case 13:
        // A launch that was recorded ahead is given to a launcher, and its controller dies before the next sync.
        commit();
        endOne();
        pump(false);
        if (resumes < 5) crash();
        break;
      case 9:
        if (choose(3) === 0) take({ type: 'stop', at: ++clock, by: 'TERM' });
        break;
      case 10:
        pump(true);
        break;
      case 11:
        repeatOldReport();
        break;
      case 12:
        killSome();
        break;
      case 14:
      case 17:
      case 18:
      case 19:
        editSome();
        break;
      case 15:
        if (choose(2) === 0) changeNet();
        break;
      case 16:
        take({ type: 'accept', at: ++clock });
        break;
      default:
        endOne();
    }
    pump(false);
    if (isOver() && resumes < 3 && one.mayFail && choose(2) === 0) {
      commit();
      begin('resume');
    }
  }

  /** A person edits one to three status cells, mostly of jobs that are settled already. */
  function editSome(): void {
    const over = fileNet.names.filter((job) => 'attempts' in ownState(job) || 'endedAt' in ownState(job));
    const jobs = choose(4) > 0 && over.length > 0 ? over : fileNet.names;
    const rows = Array.from({ length: 1 + choose(3) }, (): RowEdit => {
      const job = jobs[choose(jobs.length)]!;
      const times = (['kept', 'kept', 'kept', 'kept', 'cleared', 'other'] as const)[choose(6)]!;
      return {
        job,
        from: cellsOf(ownState(job)).status,
        to: (['0', '1', '2', '9'] as const)[choose(4)]!,
        times,
      };
    });
    const isFirst = (row: RowEdit, at: number) => rows.findIndex(({ job }) => job === row.job) === at;
    const changes = rows.filter((row, at) => row.from !== row.to && isFirst(row, at));
    const before = changes.map(({ job }) => ownState(job));
    const edits = {
      rows: changes,
      added: [],
      removed: [],
      redefined: [],
      known: fileNet.names.length,
      isCutOff: false,
    };
    note('edits');
    take({ type: 'version', at: ++clock, edits, isAccepted: false });
    changes.forEach(({ job, times }, at) => {
      if (times === 'other' && ownState(job) !== before[at]) violate('stale edit', `${job} was changed`);
      if (isLive(before[at]!.status) && ownState(job) !== before[at])
        violate('live job', `${job} was edited away`);
    });
  }

  /** A person takes a row away, or brings it back with other predecessors. */
  function changeNet(): void {
    const all = net.names;
    const chosen = all[choose(all.length)]!;
    const isThere = fileNet.indexes.has(chosen);
    if (isThere && fileNet.names.length === 1) return;
    const names = all.filter((job) => (job === chosen ? !isThere : fileNet.indexes.has(job)));
    const added = isThere ? [] : [chosen];
    const removed = isThere ? [chosen] : [];
    const edits = { rows: [], added, removed, redefined: [], known: fileNet.names.length, isCutOff: false };
    note(isThere ? 'rows removed' : 'rows added');
    take({ type: 'version', at: ++clock, edits, isAccepted: true });
    fileNet = subNet(names);
    adoptNet(state, fileNet);
    checkIndexes('another net');
  }

  /** Some of the jobs, with those of their predecessors that are there. */
  function subNet(names: readonly string[]): Net {
    const places = new Map(names.map((name, index) => [name, index]));
    const lists = names.map((name) =>
      one.predecessors[net.indexes.get(name)!]!.flatMap((before) => places.get(net.names[before]!) ?? []),
    );
    return { ...netOf(lists), names, indexes: places };
  }

  /** A live job without a row leaves the net when it is over. */
  function dropLonely(): void {
    const isOver = (job: string) => !fileNet.indexes.has(job) && !isLive(ownState(job).status);
    if (state.net.names.some(isOver)) adoptNet(state, fileNet);
  }

  /** A person asks one job to end, or all. */
  function killSome(): void {
    const own = pickAlive();
    if (!own) return;
    note('kills');
    const cause = { kind: 'operator', user: 'x' } as const;
    const request = { cause, signal: choose(2) === 0 ? 'TERM' : 'KILL', graceMs: choose(3) };
    take({ type: 'kill', at: ++clock, jobs: choose(4) === 0 ? null : [own.job], request });
  }

  function endOne(): void {
    const own = pickAlive();
    if (own) report(own.job, own.attempt, someEnd());
  }

  function confirmOne(): void {
    const own = pickAlive();
    if (own) report(own.job, own.attempt, { kind: 'running' });
  }

  function pickAlive(): { job: string; attempt: number } | null {
    const ids = [...alive];
    return ids.length === 0 ? null : parse(ids[choose(ids.length)]!);
  }

  /** Answers may come twice after a crash; they say nothing new. */
  function repeatOldReport(): void {
    const over = [...started].filter((id) => !alive.has(id));
    if (over.length === 0) return;
    const before = JSON.stringify(state.jobs);
    const { job, attempt } = parse(over[choose(over.length)]!);
    const own = ownState(job);
    const isCurrent = attemptsOf(own) === attempt;
    if (isCurrent && (own.status === 'launching' || own.status === 'running')) return;
    report(job, attempt, { kind: 'exited', code: 1 });
    if (JSON.stringify(state.jobs) !== before) violate('old report', `${job}.${attempt}`);
  }

  /** From here on everything ends well; the run must close. */
  function drain(): void {
    isCalm = true;
    for (let round = 0; round < 4 * net.names.length + 20 && !isOver(); round++) {
      commit();
      const own = pickAlive();
      if (own) report(own.job, own.attempt, { kind: 'exited', code: 0 });
      pump(true);
    }
    checkReplay();
    if (!isOver()) violate('progress', `not closed: ${JSON.stringify(state.counts)}`);
    if (!one.mayFail && state.run.closed !== 'ended') violate('progress', `closed as ${state.run.closed}`);
    note(`closed ${state.run.closed}`);
    if (state.counts.abended > 0) note('abends');
  }

  const ownState = (job: string): JobState => jobState(state, job) ?? NEVER_RUN;
  const isOver = () => state.run.closed !== null;
  return { begin, step, drain, isOver, state: () => state };
}

function isJobEvent(event: Event): event is JobEvent {
  return 'job' in event && event.type !== 'edit';
}

function parse(id: string): { job: string; attempt: number } {
  const dot = id.lastIndexOf('.');
  return { job: id.slice(0, dot), attempt: Number(id.slice(dot + 1)) };
}

/** Deep equality of the plain data, typed arrays and sets of a state. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Int32Array) return [...value];
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)));
  }
  return value;
}

/** Whether a net has two ways from one job to another. */
export function hasDiamond(predecessors: readonly (readonly number[])[]): boolean {
  return predecessors.some((own) => {
    const seen = new Set<number>();
    return own.some((one) => {
      const ancestors = ancestorsOf(predecessors, one);
      const meets = [...ancestors].some((ancestor) => seen.has(ancestor));
      for (const ancestor of ancestors) seen.add(ancestor);
      return meets;
    });
  });
}

function ancestorsOf(predecessors: readonly (readonly number[])[], index: number): Set<number> {
  const found = new Set([index]);
  for (const one of found) for (const predecessor of predecessors[one]!) found.add(predecessor);
  return found;
}
