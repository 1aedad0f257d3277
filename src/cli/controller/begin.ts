/** New runs, and runs that go on: the folder, the journal, and what becomes of the run before. */

import type { Claim } from '../../claim/claim.js';
import { adoptNet } from '../../core/adopt-net.js';
import { apply } from '../../core/apply.js';
import { decide } from '../../core/decide.js';
import type { Sheet } from '../../core/sheet.js';
import { createState, type State } from '../../core/state.js';
import type { Input, Millis, RunEnd } from '../../core/words.js';
import type { UntimedInput } from '../../engine/engine.js';
import type { Journal } from '../../engine/ports.js';
import { userName } from '../../host/user.js';
import { FORMAT } from '../../journal/lines.js';
import { createRun, type RunRecord, readSummary, runId, writeSummary } from '../../journal/runs.js';
import { openJournal } from '../../journal/writer.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { packageVersion } from '../version.js';
import type { RunParts, RunSettings } from './conduct.js';
import {
  judgeInFlight,
  type KnownRun,
  latestRun,
  lookFor,
  refuseWhileJobsLive,
  reportOn,
  voidUnclaimed,
} from './takeover.js';

const SHELL = '/bin/sh';

/** A new run, in which no job has run yet. */
export function beginRun(
  context: Context,
  place: Place,
  sheet: Sheet,
  claim: Claim,
  settings: RunSettings,
  inputs: readonly UntimedInput[],
): RunParts {
  const now = Date.now();
  const { environment } = context;
  const record: RunRecord = {
    format: FORMAT,
    run: runId(now, claim.number),
    epoch: claim.number,
    startedAt: now,
    file: place.given,
    folder: place.folder,
    user: userName(),
    path: environment['PATH'] ?? '',
    locale: environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'C',
    shell: SHELL,
    version: packageVersion(),
  };
  const run = createRun(place.state, record);
  const journal = openJournal({
    folder: run.journal,
    epoch: claim.number,
    seal: null,
    nextSeq: 1,
    at: now,
    look: lookFor(claim),
  });
  const state = createState(sheet.net);
  return { place, sheet, claim, run, record, state, journal, settings, inputs, adopted: [] };
}

/** A run that goes on after its controller ended. */
export function continueRun(
  place: Place,
  sheet: Sheet,
  claim: Claim,
  known: KnownRun,
  settings: RunSettings,
  inputs: readonly UntimedInput[],
  adopted: RunParts['adopted'],
): RunParts {
  const { folder: run, record, state } = known;
  // Jobs that live although their rows were taken out belong to the run until they are over.
  adoptNet(state, sheet.net);
  const journal = reopenJournal(known, claim);
  return { place, sheet, claim, run, record, state, journal, settings, inputs, adopted };
}

/** The next part of its journal, behind a seal. */
export function reopenJournal(known: KnownRun, claim: Claim): Journal {
  const { tail, nextSeq } = known.replay;
  return openJournal({
    folder: known.folder.journal,
    epoch: claim.number,
    seal: tail,
    nextSeq,
    at: Date.now(),
    look: lookFor(claim),
  });
}

/**
 * Closes the run before a new one, with the ends of its last jobs, so that its history stays true; says what a
 * resume would have kept. Ends the command while jobs of it live.
 */
export async function closePrevious(
  context: Context,
  place: Place,
  sheet: Sheet,
  claim: Claim,
): Promise<void> {
  const known = latestRun(context, place, sheet, claim.number);
  if (!known) return;
  const found = judgeInFlight(known);
  refuseWhileJobsLive(context, found);
  const { closed } = known.state.run;
  if (closed === 'ended' || closed === 'abandoned') return mendSummary(known);
  const at = Date.now();
  const judged = voidUnclaimed(known, found, claim.number);
  const inputs: Input[] = [...judged.map((one) => reportOn(known, one, at)), { type: 'abandon', at }];
  await recordInputs(known.state, reopenJournal(known, claim), inputs);
  summarize(known, 'abandoned', at);
  const { ended, abended } = known.state.counts;
  // After a reset there is nothing that could have been kept.
  if (ended + abended > 0) context.out(context.m.abandons(known.record.run, ended, abended));
}

/** Makes the summary of a run that is over, when its controller died between its last event and that. */
export function mendSummary(known: KnownRun): void {
  const { closed } = known.state.run;
  if (closed && !readSummary(known.folder)) summarize(known, closed, known.replay.records.at(-1)!.at);
}

function summarize({ folder, record, state }: KnownRun, end: RunEnd, endedAt: Millis): void {
  const { run, startedAt } = record;
  writeSummary(folder, { format: FORMAT, run, state: end, startedAt, endedAt, counts: { ...state.counts } });
}

/** Inputs that start nothing: up to the record, and no further. Closes the journal. */
export async function recordInputs(state: State, journal: Journal, inputs: readonly Input[]): Promise<void> {
  for (const input of inputs) {
    const events = decide(state, input);
    for (const event of events) apply(state, event, input.at);
    journal.append(events, input.at);
  }
  await journal.commit();
  await journal.close();
}
