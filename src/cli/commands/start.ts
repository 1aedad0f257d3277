/** `jobnet start`: the whole net from its beginning, as a new run. */
import { planOf } from '../../core/plan.js';
import { EpochLost } from '../../engine/ports.js';
import { isOfTheSystem } from '../../host/refusals.js';
import type { WatchMode } from '../../netfile/watch.js';
import { newSocketPath } from '../../operator/place.js';
import type { Context } from '../context.js';
import { beginRun, closePrevious } from '../controller/begin.js';
import { conduct, type RunParts, type RunSettings } from '../controller/conduct.js';
import { sayEnd } from '../controller/end.js';
import { announceStart } from '../controller/first-word.js';
import { holding } from '../controller/hold.js';
import { refuseDamaged } from '../controller/meanwhile.js';
import { refuseUnwritable } from '../controller/out-folder.js';
import { takeClaim } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { printPlan } from '../view/plan.js';
import { visible } from '../view/visible.js';

export interface RunOptions extends NetOptions {
  readonly parallel: number;
  readonly keepGoing: boolean;
  readonly failFast: boolean;
  readonly dryRun: boolean;
  readonly watch: WatchMode;
  /** Bytes of a log above which it is cut; null: it may grow for ever. */
  readonly logMax: number | null;
  /** Take a CSV that looks damaged. */
  readonly accept: boolean;
  /** Only of resume. */
  readonly rerunLost?: boolean;
}

/** Fixed before the claim, which names the socket. */
export function settingsOf(context: Context, options: RunOptions): RunSettings {
  const { parallel: limit, keepGoing, failFast, rerunLost = false, watch, logMax } = options;
  if (keepGoing && failFast)
    throw new CommandError(EXIT.wrongUse, [context.m.usage.notBoth('--keep-going', '--fail-fast')]);
  return { limit, keepGoing, failFast, rerunLost, watch, logMax, socket: newSocketPath(context.environment) };
}

export async function start(context: Context, options: RunOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  // A file with problems is refused before anything is made on disk.
  const checked = loadSheet(context, place);
  if (!options.accept) refuseDamaged(context, place, checked);
  if (options.dryRun) {
    printPlan(
      context,
      place,
      planOf(checked.net, () => true),
    );
    context.out(m.dryRun);
    return EXIT.settled;
  }
  const settings = settingsOf(context, options);
  const claim = takeClaim(context, place, Date.now(), settings.socket);
  const parts = await holding(context, place, claim, async () => {
    await refuseUnwritable(context, place, claim);
    const sheet = loadSheet(context, place);
    for (const warning of sheet.warnings) context.err(visible(m.warning(warning)));
    await closePrevious(context, place, sheet, claim);
    const { limit, keepGoing, failFast } = settings;
    return beginRun(context, place, sheet, claim, settings, [
      { type: 'begin', mode: 'start', limit, keepGoing, failFast },
    ]);
  });
  return await runToEnd(context, parts);
}

/** Conducts a run that was begun, and says how it ended. */
export async function runToEnd(context: Context, parts: RunParts): Promise<number> {
  const { m } = context;
  const { place, run, state } = parts;
  const began = Date.now();
  context.out(m.runBegins(visible(place.shown), run.id, state.net.names.length, parts.settings.limit));
  announceStart(run.id);
  try {
    const conducted = await conduct(context, parts);
    return sayEnd(context, place, state, conducted, began);
  } catch (error) {
    if (error instanceof EpochLost) throw new CommandError(EXIT.held, [m.tookOver]);
    if (isOfTheSystem(error)) {
      throw new CommandError(EXIT.cannotRun, [m.controllerFailed(visible(error.message))]);
    }
    throw error;
  }
}
