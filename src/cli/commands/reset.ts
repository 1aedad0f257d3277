/** `jobnet reset`: all rows back to 9 with blank times, as before the first start; nothing is started. */
import { cellsOf } from '../../core/project.js';
import { NEVER_RUN } from '../../core/state.js';
import type { Context } from '../context.js';
import { beginRun, closePrevious, recordInputs } from '../controller/begin.js';
import { holding, release } from '../controller/hold.js';
import { refuseUnwritable } from '../controller/out-folder.js';
import { writeRows } from '../controller/rows.js';
import { takeClaim } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { visible } from '../view/visible.js';

export async function reset(context: Context, options: NetOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  loadSheet(context, place);
  const claim = takeClaim(context, place, Date.now());
  await holding(context, place, claim, async () => {
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
      logMax: null,
      socket: null,
    } as const;
    const { state, journal } = beginRun(context, place, sheet, claim, settings, []);
    const at = Date.now();
    await recordInputs(state, journal, [
      { type: 'begin', at, mode: 'start', limit: 1, keepGoing: false },
      { type: 'stop', at, by: 'TERM' },
      { type: 'idle', at },
    ]);
    const isWritten = await writeRows(
      place,
      sheet,
      claim,
      sheet.net.names.map((job) => [job, cellsOf(NEVER_RUN)]),
    );
    if (!isWritten) throw new CommandError(EXIT.cannotRun, [m.csvUnwritable(visible(place.shown), 'EBUSY')]);
    context.out(m.resetDone(visible(place.shown), sheet.net.names.length));
  });
  release(claim);
  return EXIT.settled;
}
