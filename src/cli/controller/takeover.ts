/** Becoming the controller of a net: the claim, and what an earlier controller left behind. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireClaim, type Claim, type Holder, lookAt } from '../../claim/claim.js';
import { apply } from '../../core/apply.js';
import { decide } from '../../core/decide.js';
import { replay } from '../../core/replay.js';
import type { Sheet } from '../../core/sheet.js';
import { attemptsInFlight, type State } from '../../core/state.js';
import type { Input, Report } from '../../core/words.js';
import { EpochLost } from '../../engine/ports.js';
import { type Judged, judgeAttempts, type RunTraces, voidAttempt } from '../../executor/evidence.js';
import { createInspector } from '../../executor/inspect.js';
import { readReport } from '../../executor/reports.js';
import { JournalDamaged, type Replay, readJournal } from '../../journal/replay.js';
import { listRuns, NewerFormat, type RunFolder, type RunRecord, readRunRecord } from '../../journal/runs.js';
import { foreignBelow, prepareStateFolder, settle } from '../../journal/statefolder.js';
import type { Context } from '../context.js';
import { codeOf } from '../error-code.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { controllerOf } from '../holder.js';
import type { Place } from '../place.js';
import { clockTime } from '../view/times.js';
import { visible } from '../view/visible.js';

/** A run as its journal tells it. */
export interface KnownRun {
  readonly folder: RunFolder;
  readonly record: RunRecord;
  readonly replay: Replay;
  readonly state: State;
  /** Launchers of lower epochs are those of another folder, of which this one is a copy. */
  readonly foreignBelow: number;
}

/** The claim of a net. */
export interface NetClaim extends Claim {
  /**
   * Gives it up with nothing begun. One that was taken from the dead stays behind and is dead as well: whoever sees
   * neither of the two must go on taking the jobs of the first for living.
   */
  giveBack(): void;
}

/** Takes the claim of the net, or ends the command saying who has it. */
export function takeClaim(
  context: Context,
  place: Place,
  now: number,
  socket: string | null = null,
): NetClaim {
  const { m } = context;
  let acquired: ReturnType<typeof acquireClaim>;
  try {
    prepareStateFolder(place.state);
    const foreign = settleIn(context, place);
    acquired = acquireClaim(place.state.claims, now, { socket, foreignBelow: foreign });
  } catch (error) {
    throw new CommandError(EXIT.cannotRun, [m.stateUnwritable(visible(place.state.path), codeOf(error))]);
  }
  if (acquired.kind === 'busy') throw heldBy(context, acquired.holder);
  const { claim, followsDead } = acquired;
  const giveBack = () => {
    if (!followsDead) claim.release();
  };
  return { ...claim, giveBack };
}

/** Ends a preview of what would be refused. */
export function refuseWhileHeld(context: Context, { state }: Place): void {
  const holder = controllerOf(state);
  if (holder && holder.life !== 'dead') throw heldBy(context, holder);
}

function heldBy({ m }: Context, { owner, life }: Holder): CommandError {
  const since = clockTime(owner.claimedAt);
  return new CommandError(EXIT.held, [m.controllerHolds(life, owner.pid, visible(owner.host), since)]);
}

/** A copy of another state folder: what was claimed and started there is nobody's here. */
function settleIn({ m, err }: Context, { state }: Place): number {
  if (foreignBelow(state) === Number.POSITIVE_INFINITY) {
    settle(state, lookAt(state.claims).number);
    err(m.copiedState(visible(state.path)));
  }
  return foreignBelow(state);
}

/** Stops this controller as soon as another one has followed it. */
export function lookFor(claim: Claim): () => void {
  return () => {
    const highest = claim.highest();
    if (highest !== claim.number) throw new EpochLost(claim.number, highest);
  };
}

/**
 * The latest run of a net, over the net as it is now; null when there is none.
 * @param below only parts of the journal of lower epochs count
 */
export function latestRun(context: Context, place: Place, sheet: Sheet, below?: number): KnownRun | null {
  const { m } = context;
  try {
    for (const folder of listRuns(place.state)) {
      const record = readRunRecord(folder);
      const found = record ? readJournal(folder.journal, below) : null;
      if (!record || !found?.tail) continue;
      const state = replay(sheet.net, found.records);
      return { folder, record, replay: found, state, foreignBelow: foreignBelow(place.state) };
    }
    return null;
  } catch (error) {
    if (error instanceof NewerFormat)
      throw new CommandError(EXIT.cannotRun, [m.newerFormat(visible(error.file))]);
    if (!(error instanceof JournalDamaged)) throw error;
    throw new CommandError(EXIT.cannotRun, [m.journalDamaged(visible(error.file), error.line, error.fault)]);
  }
}

export function tracesOf(run: KnownRun): RunTraces {
  const { folder, record, state, foreignBelow } = run;
  return {
    runFolder: folder.path,
    foreignBelow,
    marker: { run: record.run, file: record.file },
    launchers: state.launchers,
  };
}

/** What became of the attempts that were in flight when the last controller ended; changes nothing. */
export function judgeInFlight(run: KnownRun): Judged[] {
  return judgeAttempts(tracesOf(run), attemptsInFlight(run.state));
}

/** A launcher writes its next record at once, if it is not stopped. */
const RECORD_MS_MAX = 2000;
const LOOK_MS = 20;

/** The same, after a moment for launchers that are just starting a job: their next record says what it is. */
export async function judgeSettled(run: KnownRun): Promise<Judged[]> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const judged = judgeInFlight(run);
    const isOpen = judged.some(({ finding }) => finding.kind === 'undecided');
    if (!isOpen || waited >= RECORD_MS_MAX) return judged;
    await sleep(LOOK_MS);
  }
}

/** Whether a process of it may be there: what is adopted by whoever goes on, and keeps a new run from starting. */
export function mayLive({ finding }: Judged): boolean {
  return finding.kind === 'living' || finding.kind === 'undecided';
}

/** Ends the command when jobs of a dead controller live, or may still be started by one of its launchers. */
export function refuseWhileJobsLive(context: Context, judged: readonly Judged[]): void {
  const { m } = context;
  const living = judged.filter(mayLive);
  if (living.length === 0) return;
  const lines = living.map(({ job, attempt, pids }) => `  ${visible(job)} #${attempt}  ${m.pids(pids)}`);
  throw new CommandError(EXIT.held, [m.jobsLive(living.length), ...lines, m.jobsLiveHint]);
}

/**
 * Makes it true that what left no trace never starts: its log is created here, so that no launcher can claim it.
 * Whoever was faster has left a trace, and is judged again.
 */
export function voidUnclaimed(run: KnownRun, judged: readonly Judged[], epoch: number): Judged[] {
  return judged.flatMap((one): Judged[] => {
    if (one.finding.kind !== 'unclaimed') return [one];
    if (voidAttempt(run.folder.path, one, epoch)) return [{ ...one, finding: { kind: 'not-started' } }];
    return voidUnclaimed(run, judgeAttempts(tracesOf(run), [one]), epoch);
  });
}

/** What a finding says as a report. */
export function reportOn(run: KnownRun, { job, attempt, finding, writtenAt }: Judged, at: number): Input {
  const report = (found: Report): Input => ({ type: 'report', at, job, attempt, report: found });
  switch (finding.kind) {
    case 'exited': {
      const endedAt = writtenAt ?? at;
      const { commands } = run.state.net;
      const script = createInspector(path.dirname(run.record.file), commands).versionOf(job, endedAt);
      return report({
        kind: 'exited',
        code: finding.code,
        hasReportedFailure: readReport(run.folder.path, job, attempt) === '1',
        endedAt,
        ...(script === undefined ? {} : { script }),
      });
    }
    case 'living':
    // It has been claimed, and its launcher lives.
    case 'undecided':
      return report({ kind: 'running' });
    case 'not-started':
    case 'unclaimed':
      return report({ kind: 'not-started', cause: 'not started by a controller that died' });
    case 'lost':
      return report({ kind: 'lost' });
  }
}

/** State as it would be after some inputs; for previews. */
export function foresee(state: State, inputs: readonly Input[]): void {
  for (const input of inputs) for (const event of decide(state, input)) apply(state, event, input.at);
}
