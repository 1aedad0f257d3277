/** `jobnet resume`: lists what runs again and what is kept, then goes on with the last run. */
import type { Claim } from '../../claim/claim.js';
import { apply } from '../../core/apply.js';
import { decide } from '../../core/decide.js';
import { reasonToHold } from '../../core/edits.js';
import { replay } from '../../core/replay.js';
import type { Sheet } from '../../core/sheet.js';
import { createState, jobState, type State } from '../../core/state.js';
import type { Event, Input } from '../../core/words.js';
import type { UntimedInput } from '../../engine/engine.js';
import type { Judged } from '../../executor/evidence.js';
import { isYes } from '../ask.js';
import type { Context } from '../context.js';
import { beginRun, continueRun, mendSummary } from '../controller/begin.js';
import type { RunParts, RunSettings } from '../controller/conduct.js';
import { holding, release } from '../controller/hold.js';
import { doubtful, editsMeanwhile, isFileCurrent } from '../controller/meanwhile.js';
import { refuseUnwritable } from '../controller/out-folder.js';
import {
  foresee,
  judgeSettled,
  type KnownRun,
  latestRun,
  mayLive,
  refuseWhileHeld,
  reportOn,
  takeClaim,
  voidUnclaimed,
} from '../controller/takeover.js';
import { EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type Place } from '../place.js';
import { findingLines } from '../view/findings.js';
import { cut } from '../view/text.js';
import { visible } from '../view/visible.js';
import { type RunOptions, runToEnd, settingsOf } from './start.js';

export interface ResumeOptions extends RunOptions {
  readonly rerunLost: boolean;
}

/** What a resume would do. */
interface Intention {
  /** What the last run knows, brought up to now; null: there is no run to go on with. */
  readonly known: KnownRun | null;
  readonly inputs: readonly UntimedInput[];
  readonly kept: number;
  readonly reruns: readonly string[];
  readonly lost: readonly string[];
  readonly waiting: number;
  /** Edits made while nobody ran, as they will be taken. */
  readonly edits: readonly Event[];
  /** What was found of the attempts in flight. */
  readonly judged: readonly Judged[];
  /** The rows say what the run knows. */
  readonly isFileCurrent: boolean;
}

export async function resume(context: Context, options: ResumeOptions): Promise<number> {
  const place = findPlace(context, options);
  const sheet = loadSheet(context, place);
  if (options.dryRun) {
    refuseWhileHeld(context, place);
    const intention = await intentionOf(context, place, sheet, options, null);
    if (sayIntention(context, place, sheet, intention)) context.out(context.m.dryRun);
    return EXIT.settled;
  }
  const settings = settingsOf(context, options);
  const claim = takeClaim(context, place, Date.now(), settings.socket);
  const parts = await holding(context, place, claim, async () => {
    await refuseUnwritable(context, place, claim);
    return await prepare(context, place, options, settings, claim);
  });
  if (parts) return await runToEnd(context, parts);
  release(claim);
  return EXIT.settled;
}

/** Null when there is nothing to do. */
async function prepare(
  context: Context,
  place: Place,
  options: ResumeOptions,
  settings: RunSettings,
  claim: Claim,
): Promise<RunParts | null> {
  const { m } = context;
  const sheet = loadSheet(context, place);
  for (const warning of sheet.warnings) context.err(visible(m.warning(warning)));
  let intention = await intentionOf(context, place, sheet, options, claim);
  if (!sayIntention(context, place, sheet, intention)) {
    if (intention.known) mendSummary(intention.known);
    return null;
  }
  if (intention.lost.length > 0 && (await isYes(context, m.askRerunLost(intention.lost.length)))) {
    intention = await intentionOf(context, place, sheet, { ...options, rerunLost: true }, claim);
  }
  const { known, inputs, judged } = intention;
  return known
    ? continueRun(place, sheet, claim, known, settings, inputs, judged.filter(mayLive))
    : beginRun(context, place, sheet, claim, settings, inputs);
}

/** @param claim null: only a look, nothing is made */
async function intentionOf(
  context: Context,
  place: Place,
  sheet: Sheet,
  options: ResumeOptions,
  claim: Claim | null,
): Promise<Intention> {
  const { parallel: limit, keepGoing, failFast } = options;
  const at = Date.now();
  const begin: Input = { type: 'begin', at, mode: 'resume', limit, keepGoing, failFast };
  const latest = latestRun(context, place, sheet, claim?.number);
  const known = latest?.state.run.closed === 'abandoned' ? null : latest;
  if (!known)
    return intend(null, sheet, createState(sheet.net), [...imports(sheet, at), begin], options, [], []);
  const found = await judgeSettled(known);
  const judged = claim ? voidUnclaimed(known, found, claim.number) : found;
  const version = versionOf(context, place, sheet, known, options, at);
  const inputs = [...judged.map((one) => reportOn(known, one, at)), begin, version];
  const preview = replay(sheet.net, known.replay.records);
  const edits = decideAfter(preview, inputs.slice(0, -1), version);
  return intend(known, sheet, preview, inputs, options, edits, judged);
}

/** What the edits made while nobody ran will come to. */
function decideAfter(state: State, before: readonly Input[], version: Input): Event[] {
  foresee(state, before);
  const events = decide(state, version);
  for (const event of events) apply(state, event, version.at);
  return events;
}

function versionOf(
  context: Context,
  place: Place,
  sheet: Sheet,
  { state, record }: KnownRun,
  options: ResumeOptions,
  at: number,
): Input {
  const edits = editsMeanwhile(place, sheet, state, record.startedAt);
  const why = reasonToHold(edits);
  if (why && !options.accept) throw doubtful(context, place, why, 'resume');
  return { type: 'version', at, edits, isAccepted: options.accept };
}

/** Counts and lists from the state that the inputs lead to, without the reruns that follow from it. */
function intend(
  known: KnownRun | null,
  sheet: Sheet,
  preview: State,
  inputs: readonly Input[],
  options: ResumeOptions,
  edits: readonly Event[],
  judged: readonly Judged[],
): Intention {
  if (!known) foresee(preview, inputs);
  const { counts, net } = preview;
  const abended = net.names.filter((_, index) => preview.jobs[index]!.status === 'abended');
  const isLeftAlone = (job: string) => {
    const own = jobState(preview, job)!;
    const isLost = own.status === 'abended' && own.reason.kind === 'lost';
    return isLost && !options.rerunLost && !net.rerunsLost.has(job);
  };
  const reruns = abended.filter((job) => !isLeftAlone(job));
  return {
    known,
    inputs: [...inputs, ...reruns.map((job): UntimedInput => ({ type: 'rerun', job }))],
    kept: counts.ended + counts.skipped,
    reruns,
    lost: abended.filter(isLeftAlone),
    waiting: counts.waiting,
    edits,
    judged,
    isFileCurrent: !known || isFileCurrent(sheet, preview),
  };
}

/** A CSV without a journal: 0 stays, 1 runs again, 2 is lost. */
function imports(sheet: Sheet, at: number): Input[] {
  return sheet.net.names.flatMap((job, index): Input[] => {
    const status = sheet.statuses[index]!;
    return status === '9' ? [] : [{ type: 'import', at, job, status }];
  });
}

const JOBS_NAMED_MAX = 20;

/** Says what will be done; false: nothing is to be done. */
function sayIntention(context: Context, place: Place, sheet: Sheet, intention: Intention): boolean {
  const { m } = context;
  for (const line of findingLines(context, intention.judged)) context.out(line);
  for (const event of intention.edits) {
    if (event.type === 'version' || event.type === 'edit') context.out(visible(m.fileEvent(event)));
    else if ('by' in event && event.by === 'csv') context.out(`${visible(event.job)}  ${m.byHand(event)}`);
  }
  const isOver = intention.judged.length === 0 && intention.kept === sheet.net.names.length;
  if (isOver && intention.isFileCurrent) {
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
