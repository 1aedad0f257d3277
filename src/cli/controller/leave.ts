/** What is left in order when a run is over. All of it is on record by then: what the disk refuses here is only said. */
import type { Claim } from '../../claim/claim.js';
import type { State } from '../../core/state.js';
import type { RunEnd } from '../../core/words.js';
import type { Executor, Journal } from '../../engine/ports.js';
import { isOfTheSystem } from '../../host/refusals.js';
import { FORMAT } from '../../journal/lines.js';
import { removeExpiredRuns } from '../../journal/retention.js';
import { type RunFolder, type RunRecord, writeSummary } from '../../journal/runs.js';
import { codeOf } from '../error-code.js';
import type { Place } from '../place.js';
import { removeOutFolder } from './out-folder.js';

/** A run that has closed, and what its controller still has in hand. */
export interface ClosedRun {
  readonly place: Place;
  readonly claim: Claim;
  readonly run: RunFolder;
  readonly record: RunRecord;
  readonly state: State;
  readonly journal: Journal;
}

/** @returns the system's word for what could not be done; the next start or resume makes up for it */
export async function leaveInOrder(
  closed: ClosedRun,
  end: RunEnd,
  executor: Executor,
): Promise<string | null> {
  const { place, claim, journal } = closed;
  let refused: string | null = null;
  await executor.close();
  await journal.close();
  const steps = [
    () => summarize(closed, end),
    () => removeOutFolder(place.state.out, claim.number),
    () => claim.release(),
    () => removeExpiredRuns(place.state, Date.now()),
  ];
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      if (!isOfTheSystem(error)) throw error;
      refused ??= codeOf(error);
    }
  }
  return refused;
}

function summarize({ run, record, state }: ClosedRun, end: RunEnd): void {
  writeSummary(run, {
    format: FORMAT,
    run: run.id,
    state: end,
    startedAt: record.startedAt,
    endedAt: Date.now(),
    counts: { ...state.counts },
  });
}
