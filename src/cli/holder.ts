/** Who controls a net: the holder of its highest claim, unless that was claimed in a folder of which this is a copy. */
import { claimHolder, type Holder } from '../claim/claim.js';
import { foreignBelow, type StateFolder } from '../journal/statefolder.js';

export function controllerOf(state: StateFolder): Holder | null {
  const holder = claimHolder(state.claims);
  return holder && holder.number >= foreignBelow(state) ? holder : null;
}

/** It may be at work: seen alive, or where nobody here can look. What the journal says of its jobs is not judged. */
export function mayWork(holder: Holder | null): boolean {
  return holder?.life === 'alive' || holder?.life === 'unknown';
}
