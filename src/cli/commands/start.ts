/** `jobnet start`: the whole net from its beginning, as a new run. */
import { planOf } from '../../core/plan.js';
import { EpochLost } from '../../engine/ports.js';
import type { Context } from '../context.js';
import { beginRun, closePrevious } from '../controller/begin.js';
import { conduct, type RunParts } from '../controller/conduct.js';
import { sayEnd } from '../controller/end.js';
import { announceStart } from '../controller/first-word.js';
import { takeClaim } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { printPlan } from '../view/plan.js';
import { visible } from '../view/text.js';

export interface RunOptions extends NetOptions {
  readonly parallel: number;
  readonly keepGoing: boolean;
  readonly dryRun: boolean;
}

export async function start(context: Context, options: RunOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  // A file with problems is refused before anything is made on disk.
  const checked = loadSheet(context, place);
  if (options.dryRun) {
    printPlan(
      context,
      place,
      planOf(checked.net, () => true),
    );
    context.out(m.dryRun);
    return EXIT.settled;
  }
  const claim = takeClaim(context, place, Date.now());
  let parts: RunParts;
  try {
    const sheet = loadSheet(context, place);
    for (const warning of sheet.warnings) context.err(visible(m.warning(warning)));
    await closePrevious(context, place, sheet, claim);
    const { parallel: limit, keepGoing } = options;
    parts = beginRun(context, place, sheet, claim, limit, [
      { type: 'begin', mode: 'start', limit, keepGoing },
    ]);
  } catch (error) {
    claim.release();
    throw error;
  }
  return await runToEnd(context, parts);
}

/** Conducts a run that was begun, and says how it ended. */
export async function runToEnd(context: Context, parts: RunParts): Promise<number> {
  const { m } = context;
  const { place, run, state, limit } = parts;
  const began = Date.now();
  context.out(m.runBegins(visible(place.shown), run.id, state.net.names.length, limit));
  announceStart(run.id);
  try {
    const conducted = await conduct(context, parts);
    return sayEnd(context, place, state, conducted, began);
  } catch (error) {
    if (error instanceof EpochLost) throw new CommandError(EXIT.held, [m.tookOver]);
    if (error instanceof Error && 'syscall' in error) {
      throw new CommandError(EXIT.cannotRun, [m.journalFailed(visible(error.message))]);
    }
    throw error;
  }
}
