/** What must be true of the journal of a run that was crashed and gone on with, event by event, whatever its times say. */
import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { apply } from '../../src/core/apply.js';
import { edgesOf, type Net } from '../../src/core/net.js';
import { blockersOf, cellsOf, statusWord } from '../../src/core/project.js';
import type { RecordedEvent } from '../../src/core/replay.js';
import { attemptsOf, createState, indexesByDefinition, type State } from '../../src/core/state.js';
import { isSettled } from '../../src/core/transitions.js';
import type { Event, JobName } from '../../src/core/words.js';
import { readJournal } from '../../src/journal/replay.js';
import { listRuns } from '../../src/journal/runs.js';
import { stateFolderOf } from '../../src/journal/statefolder.js';
import { readNetFile } from '../../src/netfile/read.js';
import { Violation } from '../core/simulation.js';
import { type NetBench, type StatusJson, statusesIn } from '../e2e/workbench.js';

/**
 * Replays a run in which no person edited anything and every job came to its normal end.
 * @param applied what changes the state; a test plants a broken one
 * @throws Violation
 */
export function checkLaws(net: Net, records: readonly RecordedEvent[], applied = apply): State {
  const state = createState(net);
  const past: Past = { launched: new Map(), ends: new Map() };
  records.forEach(({ event, at }, index) => {
    const place = `event ${index + 1}, ${event.type}`;
    checkBefore(state, past, event, place);
    try {
      applied(state, event, at);
    } catch (error) {
      throw new Violation('possible', `${place}: ${error instanceof Error ? error.message : error}`);
    }
    remember(past, event);
    checkAfter(state, place);
  });
  for (const job of net.names) {
    const ends = past.ends.get(job) ?? 0;
    if (ends !== 1) throw new Violation('one end', `${job} has ${ends}`);
  }
  return state;
}

/** What the state does not keep. */
interface Past {
  /** Attempts by job, in the order of their launches. */
  readonly launched: Map<JobName, number[]>;
  readonly ends: Map<JobName, number>;
}

function checkBefore(state: State, past: Past, event: Event, place: string): void {
  if (event.type !== 'intended' && event.type !== 'launching') return;
  const { job, attempt } = event;
  const index = state.net.indexes.get(job);
  if (index === undefined) throw new Violation('possible', `${place}: ${job} is not in the net`);
  for (const predecessor of edgesOf(state.net.predecessors, index)) {
    const { status } = state.jobs[predecessor]!;
    if (!isSettled(status))
      throw new Violation('order', `${place}: ${job} while ${state.net.names[predecessor]} is ${status}`);
  }
  if (past.ends.has(job)) throw new Violation('ended stays', `${place}: ${job}#${attempt}`);
  const launched = past.launched.get(job) ?? [];
  if (launched.includes(attempt)) throw new Violation('once', `${place}: ${job}#${attempt} again`);
  const last = launched.at(-1) ?? 0;
  if (attempt < last) throw new Violation('numbers grow', `${place}: ${job}#${attempt} behind #${last}`);
}

function remember(past: Past, event: Event): void {
  if (event.type === 'launching')
    past.launched.set(event.job, [...(past.launched.get(event.job) ?? []), event.attempt]);
  if (event.type === 'ended') past.ends.set(event.job, (past.ends.get(event.job) ?? 0) + 1);
}

function checkAfter(state: State, place: string): void {
  const definition = indexesByDefinition(state);
  const { size } = definition.live;
  if (size > state.run.limit)
    throw new Violation('limit', `${place}: ${size} live, limit ${state.run.limit}`);
  for (const key of ['unsettled', 'intended', 'live', 'counts'] as const) {
    if (!isDeepStrictEqual(state[key], definition[key])) throw new Violation('indexes', `${place}: ${key}`);
  }
}

/** What a person sees of a job. */
export type Shown = Pick<StatusJson['jobs'][number], 'job' | 'csv' | 'status' | 'attempt'>;

/**
 * @param jobs what `status --json` says
 * @param cells the status cells of the CSV by job
 */
export function checkShown(state: State, jobs: readonly Shown[], cells: Record<string, string>): void {
  const blockers = blockersOf(state);
  const expected = state.net.names.map((job, index): Shown => {
    const own = state.jobs[index]!;
    const status = statusWord(own, blockers.has(index));
    return { job, csv: cellsOf(own).status, status, attempt: attemptsOf(own) };
  });
  const shown = jobs.map(({ job, csv, status, attempt }) => ({ job, csv, status, attempt }));
  if (!isDeepStrictEqual(shown, expected)) throw differ('status', shown, expected);
  const codes = Object.fromEntries(expected.map(({ job, csv }) => [job, csv]));
  if (!isDeepStrictEqual({ ...cells }, codes)) throw differ('cells', cells, codes);
}

function differ(law: string, found: unknown, expected: unknown): Violation {
  return new Violation(law, `${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** All of this, on the one run of a net that was begun, and gone on with by every later command. */
export function checkJournal(net: NetBench, { jobs }: StatusJson): void {
  const sheet = readNetFile(net.file);
  if (sheet.kind === 'bad') throw new Violation('good file', JSON.stringify(sheet.problems));
  // A run whose controller died before its first line was whole counts for nothing.
  const begun = listRuns(stateFolderOf(realpathSync(net.file), null))
    .map(({ journal }) => readJournal(journal))
    .filter(({ tail }) => tail !== null);
  if (begun.length !== 1) throw new Violation('one run', `${begun.length} were begun`);
  const state = checkLaws(sheet.sheet.net, begun[0]!.records);
  checkShown(state, jobs, statusesIn(net.read()));
}
