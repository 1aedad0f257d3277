/** Holding the claim of a net: it goes back whatever happens, and what the disk refused is said and no fault of ours. */
import type { Claim } from '../../claim/claim.js';
import { DiskFault } from '../../engine/ports.js';
import { isOfTheSystem, unlessOfTheSystem } from '../../host/refusals.js';
import type { Context } from '../context.js';
import { codeOf } from '../error-code.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Place } from '../place.js';
import { visible } from '../view/visible.js';
import type { NetClaim } from './takeover.js';

/** Does what comes before a run; when that fails nothing was started, and the net is free again. */
export async function holding<T>(
  { m }: Context,
  { state }: Place,
  claim: NetClaim,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    unlessOfTheSystem(claim.giveBack);
    if (!(isOfTheSystem(error) || error instanceof DiskFault)) throw error;
    throw new CommandError(EXIT.cannotRun, [m.stateUnwritable(visible(state.path), codeOf(error))]);
  }
}

/** One that cannot be released is over all the same when its process is gone. */
export function release(claim: Claim): void {
  unlessOfTheSystem(claim.release);
}
