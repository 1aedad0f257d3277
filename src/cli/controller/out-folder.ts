/** Folders of temporary files of the CSV, one for each epoch. */
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Claim } from '../../claim/claim.js';
import { hasCode, makeFolder, namesIn } from '../../host/durable.js';
import { writingFault } from '../../netfile/replace.js';
import type { Context } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Place } from '../place.js';
import { visible } from '../view/visible.js';

/**
 * The folder of this epoch's temporary files. Those of older epochs are renamed away first: a stale controller's
 * late rename of its file then fails, and its old cells cannot come back as an edit.
 * @returns null when no folder can be made there: the CSV is then written in place
 */
export function prepareOutFolder(out: string, epoch: number): string | null {
  try {
    makeFolder(out);
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EROFS', 'EPERM')) return null;
    throw error;
  }
  for (const name of namesIn(out)) {
    if (!/^\d+$/.test(name) || Number(name) >= epoch) continue;
    const away = path.join(out, `old.${name}.${epoch}`);
    renameSync(path.join(out, name), away);
    rmSync(away, { recursive: true, force: true });
  }
  const own = path.join(out, String(epoch));
  makeFolder(own);
  return own;
}

export function removeOutFolder(out: string, epoch: number): void {
  rmSync(path.join(out, String(epoch)), { recursive: true, force: true });
}

/** Ends the command when our cells could not be written: nobody would see where the net stands. */
export async function refuseUnwritable(context: Context, place: Place, claim: Claim): Promise<void> {
  const code = await writingFault(place.file, prepareOutFolder(place.state.out, claim.number));
  if (code) throw new CommandError(EXIT.cannotRun, [context.m.csvUnwritable(visible(place.shown), code)]);
}
