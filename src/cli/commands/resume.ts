/** `jobnet resume`: lists what runs again and what is kept, then goes on with the last run. */
import type { Claim } from '../../claim/claim.js';
import type { Sheet } from '../../core/sheet.js';
import type { JobState } from '../../core/words.js';
import type { UntimedInput } from '../../engine/engine.js';
import type { Judged } from '../../executor/evidence.js';
import type { Context } from '../context.js';
import { beginRun, continueRun } from '../controller/begin.js';
import type { RunParts } from '../controller/conduct.js';
import {
  judgeInFlight,
  type KnownRun,
  latestRun,
  refuseWhileJobsLive,
  reportOn,
  takeClaim,
  voidUnclaimed,
} from '../controller/takeover.js';
import { EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type Place } from '../place.js';
import { cut, visible } from '../view/text.js';
import { type RunOptions, runToEnd } from './start.js';

export interface ResumeOptions extends RunOptions {
  readonly rerunLost: boolean;
}

/** What a resume would do with each job. */
interface Intention {
  readonly kept: number;
  readonly reruns: readonly string[];
  readonly lost: readonly string[];
  readonly waiting: number;
}

export async function resume(context: Context, options: ResumeOptions): Promise<number> {
  const place = findPlace(context, options);
  loadSheet(context, place);
  if (options.dryRun) return previewResume(context, place, options);
  const claim = takeClaim(context, place, Date.now());
  let parts: RunParts | null;
  try {
    parts = prepare(context, place, options, claim);
  } catch (error) {
    claim.release();
    throw error;
  }
  if (parts) return await runToEnd(context, parts);
  claim.release();
  return EXIT.settled;
}

/** Null when there is nothing to do. */
function prepare(context: Context, place: Place, options: ResumeOptions, claim: Claim): RunParts | null {
  const { m } = context;
  const { parallel: limit, keepGoing } = options;
  const sheet = loadSheet(context, place);
  for (const warning of sheet.warnings) context.err(visible(m.warning(warning)));
  const begin: UntimedInput = { type: 'begin', mode: 'resume', limit, keepGoing };
  const known = latestRun(context, place, sheet, claim.number);
  if (!known || known.state.run.closed === 'abandoned') {
    const intention = intentionFromCsv(sheet, options.rerunLost);
    if (!sayIntention(context, place, sheet, intention)) return null;
    const inputs = [begin, ...imports(sheet), ...reruns(intention.reruns)];
    return beginRun(context, place, sheet, claim, limit, inputs);
  }
  const found = judgeInFlight(known);
  refuseWhileJobsLive(context, found);
  const judged = voidUnclaimed(known, found, claim.number);
  const intention = intentionOf(known, judged, options.rerunLost);
  if (!sayIntention(context, place, sheet, intention)) return null;
  const reports = judged.flatMap((one) => reportOn(one, Date.now()));
  return continueRun(place, sheet, claim, known, limit, [begin, ...reports, ...reruns(intention.reruns)]);
}

function previewResume(context: Context, place: Place, options: ResumeOptions): number {
  const sheet = loadSheet(context, place);
  const known = latestRun(context, place, sheet);
  const isNew = !known || known.state.run.closed === 'abandoned';
  const judged = isNew ? [] : judgeInFlight(known);
  refuseWhileJobsLive(context, judged);
  const intention = isNew
    ? intentionFromCsv(sheet, options.rerunLost)
    : intentionOf(known, judged, options.rerunLost);
  if (sayIntention(context, place, sheet, intention)) context.out(context.m.dryRun);
  return EXIT.settled;
}

function imports(sheet: Sheet): UntimedInput[] {
  return sheet.net.names.flatMap((job, index): UntimedInput[] => {
    const status = sheet.statuses[index]!;
    return status === '9' ? [] : [{ type: 'import', job, status }];
  });
}

function reruns(jobs: readonly string[]): UntimedInput[] {
  return jobs.map((job) => ({ type: 'rerun', job }));
}

/** A CSV without a journal: 0 stays, 1 runs again, 2 is lost. */
function intentionFromCsv({ net, statuses }: Sheet, rerunLost: boolean): Intention {
  const withStatus = (status: string) => net.names.filter((_, index) => statuses[index] === status);
  const lost = withStatus('2');
  return {
    kept: withStatus('0').length,
    reruns: rerunLost ? [...withStatus('1'), ...lost] : withStatus('1'),
    lost: rerunLost ? [] : lost,
    waiting: withStatus('9').length,
  };
}

function intentionOf({ state }: KnownRun, judged: readonly Judged[], rerunLost: boolean): Intention {
  const found = new Map(judged.map((one) => [one.job, one.finding]));
  const jobs = state.net.names.map((job, index) => ({
    job,
    fate: fateOf(state.jobs[index]!, found.get(job)),
  }));
  const withFate = (fate: Fate) => jobs.filter((one) => one.fate === fate).map((one) => one.job);
  const lost = withFate('lost');
  return {
    kept: withFate('kept').length,
    reruns: rerunLost ? [...withFate('rerun'), ...lost] : withFate('rerun'),
    lost: rerunLost ? [] : lost,
    waiting: withFate('waiting').length,
  };
}

type Fate = 'kept' | 'rerun' | 'lost' | 'waiting';

function fateOf(own: JobState, finding: Judged['finding'] | undefined): Fate {
  switch (finding?.kind) {
    case 'exited':
      return finding.code === 0 ? 'kept' : 'rerun';
    case 'lost':
      return 'lost';
    case undefined:
      if (own.status === 'abended') return own.reason.kind === 'lost' ? 'lost' : 'rerun';
      return own.status === 'ended' ? 'kept' : 'waiting';
    default:
      return 'waiting';
  }
}

const JOBS_NAMED_MAX = 20;

/** Says what will be done; false: nothing is to be done. */
function sayIntention(context: Context, place: Place, sheet: Sheet, intention: Intention): boolean {
  const { m } = context;
  if (intention.kept === sheet.net.names.length) {
    context.out(m.nothingToDo(visible(place.shown)));
    return false;
  }
  if (intention.reruns.length > 0)
    context.out(`${m.willRerun(intention.reruns.length)}: ${listOf(intention.reruns)}`);
  if (intention.lost.length > 0)
    context.out(`${m.staysLost(intention.lost.length)}: ${listOf(intention.lost)}`);
  context.out(m.waits(intention.waiting));
  context.out(m.keeps(intention.kept));
  return true;
}

function listOf(jobs: readonly string[]): string {
  const named = jobs.slice(0, JOBS_NAMED_MAX).map((job) => cut(visible(job), 60));
  return jobs.length > JOBS_NAMED_MAX ? `${named.join(', ')} …` : named.join(', ');
}
