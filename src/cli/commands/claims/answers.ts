/** What all commands on claims have in common: their errors as answers, and who holds a claim in words. */
import path from 'node:path';
import type { Standing } from '../../../claim/bid.js';
import { DISK } from '../../../claim/disk.js';
import { ClaimHeld, FenceRefused, OnceLost } from '../../../claim/errors.js';
import { DamagedFence } from '../../../claim/fence-steps.js';
import { parseBeat } from '../../../claim/lease-steps.js';
import { WrongName } from '../../../claim/place.js';
import { DamagedClaim, numberName } from '../../../claim/record.js';
import { localTime } from '../../../netfile/localtime.js';
import type { Context } from '../../context.js';
import { codeOf } from '../../error-code.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import type { HolderText } from '../../messages/claims.js';
import { visible } from '../../view/visible.js';

/** Runs a command on claims; what is an answer becomes its exit code. */
export async function answering(
  context: Context,
  folder: string,
  action: () => Promise<number>,
  heldCode: number = EXIT.held,
): Promise<number> {
  const m = context.m.claims;
  const answer = (code: number, text: string) => new CommandError(code, [visible(text)]);
  try {
    return await action();
  } catch (error) {
    if (error instanceof ClaimHeld) throw answer(heldCode, heldText(context, error));
    if (error instanceof OnceLost)
      throw answer(EXIT.wrongState, m.onceLost(error.claim, error.key, error.folder));
    if (error instanceof FenceRefused)
      throw answer(EXIT.fenced, m.fenced(error.target, error.token, error.highest));
    if (error instanceof WrongName) throw answer(EXIT.wrongUse, m.wrongName(error.given));
    if (error instanceof DamagedClaim || error instanceof DamagedFence)
      throw answer(EXIT.cannotRun, m.damaged(error.file));
    if (error instanceof Error && 'syscall' in error)
      throw answer(EXIT.cannotRun, m.folderFails(folder, codeOf(error)));
    throw error;
  }
}

function heldText(context: Context, { claim, folder, found }: ClaimHeld): string {
  const m = context.m.claims;
  if (typeof found === 'string') return m.isHeldByScript(claim, found, folder);
  const holder = holderOf(folder, found);
  return holder ? m.isHeld(claim, holder, folder) : m.isOther(claim, folder);
}

/** Null for what nobody holds. */
export function holderOf(folder: string, found: Standing): HolderText | null {
  if (found.kind !== 'held') return null;
  const { owner, life, by, number } = found;
  const beat =
    owner.ttlMs === null ? null : parseBeat(DISK.read(path.join(folder, numberName(number, 'beat'))));
  const beatAt = owner.ttlMs === null ? null : (beat?.at ?? owner.claimedAt);
  return {
    host: owner.host,
    pid: owner.pid,
    // A lease does not end with the process that took it.
    life: owner.kind === 'time' ? 'alive' : life,
    isCommand: by === 'command',
    since: localTime(owner.claimedAt),
    beatS: beatAt === null ? null : Math.round((Date.now() - beatAt) / 1000),
  };
}
