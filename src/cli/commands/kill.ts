/** `jobnet kill`: ends jobs with everything they have started, with or without a controller, and says what came of it. */
import { userInfo } from 'node:os';
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

/** What is left of it is named at the latest so long after KILL. */
export const ANSWER_MS = 30_000;

export async function kill(context: Context, jobs: readonly string[], options: KillOptions): Promise<number> {
  const place = findPlace(context, options);
  const args: KillArgs = {
    jobs: jobs.map((job) => job.normalize('NFC')),
    signal: options.signal,
    graceMs: options.grace,
    user: userInfo().username,
  };
  const killed = (await throughController(context, place))
    ? ((await askController(
        context,
        place,
        { command: 'kill', args, patienceMs: args.graceMs + ANSWER_MS },
        '',
      )) as Killed[])
    : await killOrphans(context, place, args, requestOf(args, 'operator'));
  if (options.json) context.out(JSON.stringify(killed));
  else sayKilled(context, killed);
  return exitCodeAfter(killed);
}

/** False: there is none that lives. Ends the command when there is one that cannot be asked. */
export async function throughController({ m }: Context, place: Place): Promise<boolean> {
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
