/** `jobnet reset`: all rows back to 9 with blank times, as before the first start; nothing is started. */
import type { Claim } from '../../claim/claim.js';
import { cellsOf } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import { NEVER_RUN } from '../../core/state.js';
import { systemClock } from '../../engine/system-clock.js';
import { createNetFile } from '../../netfile/netfile.js';
import type { Context } from '../context.js';
import { beginRun, closePrevious, recordInputs } from '../controller/begin.js';
import { prepareOutFolder, refuseUnwritable, removeOutFolder } from '../controller/out-folder.js';
import { takeClaim } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions, type Place } from '../place.js';
import { visible } from '../view/visible.js';

export async function reset(context: Context, options: NetOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  loadSheet(context, place);
  const claim = takeClaim(context, place, Date.now());
  try {
    await refuseUnwritable(context, place, claim);
    const sheet = loadSheet(context, place);
    await closePrevious(context, place, sheet, claim);
    // A run in which nothing was started: resume then begins with the roots.
    const settings = {
      limit: 1,
      keepGoing: false,
      failFast: false,
      rerunLost: false,
      watch: 'poll',
      socket: null,
    } as const;
    const { state, journal } = beginRun(context, place, sheet, claim, settings, []);
    const at = Date.now();
    await recordInputs(state, journal, [
      { type: 'begin', at, mode: 'start', limit: 1, keepGoing: false },
      { type: 'stop', at, by: 'TERM' },
      { type: 'idle', at },
    ]);
    await blankRows(context, place, sheet, claim);
    context.out(m.resetDone(visible(place.shown), sheet.net.names.length));
    return EXIT.settled;
  } finally {
    claim.release();
  }
}

async function blankRows(context: Context, place: Place, sheet: Sheet, claim: Claim): Promise<void> {
  const { m } = context;
  const netFile = createNetFile({
    file: place.file,
    sheet,
    outFolder: prepareOutFolder(place.state.out, claim.number),
    backup: place.state.backup,
    lastGood: place.state.lastGood,
    began: Date.now(),
    watch: 'poll',
    isCurrent: () => claim.highest() === claim.number,
    clock: systemClock,
  });
  for (const job of sheet.net.names) netFile.show(job, cellsOf(NEVER_RUN));
  const isWritten = await netFile.flush();
  await netFile.close();
  removeOutFolder(place.state.out, claim.number);
  if (!isWritten) throw new CommandError(EXIT.cannotRun, [m.csvUnwritable(visible(place.shown), 'EBUSY')]);
}
