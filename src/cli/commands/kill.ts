/** `jobnet kill`: ends jobs with everything they have started, with or without a controller, and says what came of it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { userName } from '../../host/user.js';
import { askController } from '../ask-controller.js';
import type { Context } from '../context.js';
import { type KillArgs, type Killed, requestOf } from '../controller/kills.js';
import { killOrphans } from '../controller/orphan-kills.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { controllerOf } from '../holder.js';
import { findPlace, type NetOptions, type Place } from '../place.js';
import { clockTime } from '../view/times.js';
import { visible } from '../view/visible.js';

export interface KillOptions extends NetOptions {
  readonly signal: string;
  /** Milliseconds. */
  readonly grace: number;
  readonly json: boolean;
}

/** A controller that is leaving is gone in less. */
const TRY_AGAIN_MS = 50;
const TRIES_MAX = 40;

/** What is left of it is named at the latest so long after KILL. */
export const ANSWER_MS = 30_000;

export async function kill(context: Context, jobs: readonly string[], options: KillOptions): Promise<number> {
  const place = findPlace(context, options);
  const args: KillArgs = {
    jobs: jobs.map((job) => job.normalize('NFC')),
    signal: options.signal,
    graceMs: options.grace,
    user: userName(),
  };
  const killed = await killThem(context, place, args);
  if (options.json) context.out(JSON.stringify(killed));
  else sayKilled(context, killed);
  return exitCodeAfter(killed);
}

async function killThem(context: Context, place: Place, args: KillArgs): Promise<Killed[]> {
  const request = { command: 'kill', args, patienceMs: args.graceMs + ANSWER_MS };
  for (let tries = 1; throughController(context, place); tries++) {
    try {
      return (await askController(context, place, request, '')) as Killed[];
    } catch (error) {
      // It dies, or just ends: then this command goes on alone.
      const isGone = error instanceof CommandError && error.exitCode === EXIT.noController;
      if (!isGone || tries === TRIES_MAX) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
  return await killOrphans(context, place, args, requestOf(args, 'operator'));
}

/** False: there is none that lives. Ends the command when there is one that cannot be asked. */
export function throughController({ m }: Context, place: Place): boolean {
  const holder = controllerOf(place.state);
  if (!holder || holder.life === 'dead') return false;
  if (holder.life === 'alive') return true;
  const { owner, life } = holder;
  const since = clockTime(owner.claimedAt);
  throw new CommandError(EXIT.held, [m.controllerHolds(life, owner.pid, visible(owner.host), since)]);
}

export function sayKilled({ m, out, err }: Context, killed: readonly Killed[]): void {
  for (const one of killed) {
    const job = visible(one.job);
    switch (one.outcome) {
      case 'unknown':
        err(m.noSuchJob(job, null));
        break;
      case 'never-run':
        err(`${job}  ${m.notRunning(m.status.waiting)}`);
        break;
      case 'not-running':
        err(`${job}  ${m.notRunning(m.status[one.status])}`);
        break;
      case 'killed':
        out(`${job} #${one.attempt}  ${visible(m.abended(one.reason))}`);
        break;
      case 'over':
        err(
          `${job} #${one.attempt}  ${m.wasOver(visible(one.reason ? m.abended(one.reason) : m.ended('')))}`,
        );
        break;
    }
  }
}

export function exitCodeAfter(killed: readonly Killed[]): number {
  const hasSurvivors = killed.some(
    (one) => one.outcome === 'killed' && one.reason.kind === 'killed' && one.reason.survivors,
  );
  if (hasSurvivors) return EXIT.abended;
  return killed.every(({ outcome }) => outcome === 'killed') ? EXIT.settled : EXIT.wrongState;
}
