/** Who controls a net: the holder of its highest claim, unless that was claimed in a folder of which this is a copy. */
import { claimHolder, type Holder } from '../claim/claim.js';
import { foreignBelow, type StateFolder } from '../journal/statefolder.js';

export function controllerOf(state: StateFolder): Holder | null {
  const holder = claimHolder(state.claims);
  return holder && holder.number >= foreignBelow(state) ? holder : null;
}
