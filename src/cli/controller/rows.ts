/** Writing rows without a run: the cells of some jobs, once. */
import type { Claim } from '../../claim/claim.js';
import type { Cells } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import type { JobName } from '../../core/words.js';
import { systemClock } from '../../engine/system-clock.js';
import { createNetFile } from '../../netfile/netfile.js';
import type { Place } from '../place.js';
import { prepareOutFolder, removeOutFolder } from './out-folder.js';

/** @returns false: they could not be written in a few tries */
export async function writeRows(
  place: Place,
  sheet: Sheet,
  claim: Claim,
  rows: Iterable<readonly [JobName, Cells]>,
): Promise<boolean> {
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
  for (const [job, cells] of rows) netFile.show(job, cells);
  const isWritten = await netFile.flush();
  await netFile.close();
  removeOutFolder(place.state.out, claim.number);
  return isWritten;
}
