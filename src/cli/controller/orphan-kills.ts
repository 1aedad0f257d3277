/** Ending jobs of a controller that died: this command is the controller for so long, and starts nothing. */

import type { Claim } from '../../claim/claim.js';
import { apply } from '../../core/apply.js';
import { decide } from '../../core/decide.js';
import { forceAt } from '../../core/kill.js';
import { cellsOf } from '../../core/project.js';
import { jobState, type State } from '../../core/state.js';
import type { Event, Input, JobName, KillRequest, Report } from '../../core/words.js';
import type { Journal, Launch } from '../../engine/ports.js';
import { systemClock } from '../../engine/system-clock.js';
import type { Judged } from '../../executor/evidence.js';
import { createKills } from '../../executor/kills.js';
import type { Context } from '../context.js';
import { knownSheet, type Place } from '../place.js';
import { reopenJournal } from './begin.js';
import type { End } from './ends.js';
import { type KillArgs, type Killed, outcomeOf, sortedOut } from './kills.js';
import { writeRows } from './rows.js';
import {
  judgeSettled,
  type KnownRun,
  latestRun,
  mayLive,
  reportOn,
  takeClaim,
  tracesOf,
  voidUnclaimed,
} from './takeover.js';

export async function killOrphans(
  context: Context,
  place: Place,
  given: KillArgs,
  request: KillRequest,
): Promise<Killed[]> {
  const claim = takeClaim(context, place, Date.now());
  try {
    const sheet = knownSheet(context, place);
    const known = latestRun(context, place, sheet, claim.number);
    if (!known)
      return (given.jobs ?? []).map((job) => ({
        job,
        outcome: sheet.net.indexes.has(job) ? 'never-run' : 'unknown',
      }));
    const { running, rest } = sortedOut(known.state, given.jobs);
    if (running.length === 0) return rest;
    const ends = await endThem(known, claim, running, request);
    // What does not get into the file now is written by the next start or resume.
    await writeRows(
      place,
      sheet,
      claim,
      running.map(({ job }) => [job, cellsOf(jobState(known.state, job)!)]),
    );
    return [...ends.map(outcomeOf), ...rest];
  } finally {
    // Others may live on: whoever cannot see them must go on taking them for living.
    claim.giveBack();
  }
}

async function endThem(
  known: KnownRun,
  claim: Claim,
  wanted: readonly Launch[],
  request: KillRequest,
): Promise<End[]> {
  const { state } = known;
  const isWanted = ({ job, attempt }: Launch) =>
    wanted.some((one) => one.job === job && one.attempt === attempt);
  const judged = voidUnclaimed(known, (await judgeSettled(known)).filter(isWanted), claim.number);
  const journal = reopenJournal(known, claim);
  const ends: End[] = [];
  const at = Date.now();
  const inputs = judged.map((one): Input => {
    return mayLive(one) ? { type: 'kill', at, jobs: [one.job], request } : reportOn(known, one, at);
  });
  await record(state, journal, inputs, ends);
  await killLiving(known, claim, judged.filter(mayLive), async (job, attempt, report) => {
    await record(state, journal, [{ type: 'report', at: Date.now(), job, attempt, report }], ends);
  });
  await journal.close();
  return ends;
}

/** Asked for before it is done, and durable by then. */
async function record(state: State, journal: Journal, inputs: readonly Input[], ends: End[]): Promise<void> {
  for (const input of inputs) {
    const events = decide(state, input);
    for (const event of events) apply(state, event, input.at);
    journal.append(events, input.at);
    ends.push(...events.filter(isEnd));
  }
  await journal.commit();
}

function isEnd(event: Event): event is End {
  return event.type === 'ended' || event.type === 'abended' || event.type === 'not-started';
}

async function killLiving(
  known: KnownRun,
  claim: Claim,
  living: readonly Judged[],
  onOver: (job: JobName, attempt: number, report: Report) => Promise<void>,
): Promise<void> {
  const { runFolder, marker, launchers } = tracesOf(known);
  let recorded = Promise.resolve();
  await new Promise<void>((resolve) => {
    let left = living.length;
    if (left === 0) return resolve();
    const kills = createKills({
      runFolder,
      marker,
      launchers,
      epoch: claim.number,
      mayBeWith: () => true,
      clock: systemClock,
      onOver: ({ job, attempt }, report) => {
        recorded = recorded.then(() => onOver(job, attempt, report));
        if (--left === 0) resolve();
      },
    });
    for (const launch of living) kills.start(launch, orderFor(known.state, launch), null);
  });
  await recorded;
}

function orderFor(state: State, { job }: Launch) {
  const own = jobState(state, job);
  if (!own || !('killing' in own)) throw new Error(`impossible: ${job} was not asked to end`);
  const { killing } = own;
  return { signal: killing!.signal, forceAt: forceAt(killing!, killing!.at) };
}
