/** `jobnet reset`: all rows back to 9 with blank times, as before the first start; nothing is started. */
import { cellsOf } from '../../core/project.js';
import { NEVER_RUN } from '../../core/state.js';
import { systemClock } from '../../engine/system-clock.js';
import { createNetFile, type WriteTrouble } from '../../netfile/netfile.js';
import type { Context } from '../context.js';
import { beginRun, closePrevious, recordInputs } from '../controller/begin.js';
import { prepareOutFolder, removeOutFolder } from '../controller/out-folder.js';
import { takeClaim } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions, type Place } from '../place.js';
import { visible } from '../view/text.js';

export async function reset(context: Context, options: NetOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  loadSheet(context, place);
  const claim = takeClaim(context, place, Date.now());
  try {
    const sheet = loadSheet(context, place);
    await closePrevious(context, place, sheet, claim);
    // A run in which nothing was started: resume then begins with the roots.
    const { state, journal } = beginRun(context, place, sheet, claim, 1, []);
    const at = Date.now();
    await recordInputs(state, journal, [
      { type: 'begin', at, mode: 'start', limit: 1, keepGoing: false },
      { type: 'stop', at, by: 'TERM' },
      { type: 'idle', at },
    ]);
    await blankRows(context, place, sheet.net.names, claim.number);
    context.out(m.resetDone(visible(place.shown), sheet.net.names.length));
    return EXIT.settled;
  } finally {
    claim.release();
  }
}

async function blankRows(
  context: Context,
  place: Place,
  jobs: readonly string[],
  epoch: number,
): Promise<void> {
  let trouble: WriteTrouble | null = null;
  const netFile = createNetFile({
    file: place.file,
    outFolder: prepareOutFolder(place.state.out, epoch),
    clock: systemClock,
    onTrouble: (found) => {
      trouble = found;
    },
  });
  for (const job of jobs) netFile.show(job, cellsOf(NEVER_RUN));
  await netFile.flush();
  removeOutFolder(place.state.out, epoch);
  if (trouble) throw new CommandError(EXIT.cannotRun, [context.m.csvTrouble(trouble)]);
}
