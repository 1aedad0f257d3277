/** Claims of kind `process`: held while their owner or its command lives, however long that is frozen. */
import { makeFolder } from '../host/durable.js';
import { ownIdentity } from '../host/identity.js';
import { type Bidder, bid, list, prepare, release, type Standing, standing, tidy } from './bid.js';
import { DISK } from './disk.js';
import type { ClaimRecord } from './record.js';
import { ask, type Files, type Life, runSteps } from './steps.js';

export interface Holder {
  readonly number: number;
  readonly owner: ClaimRecord;
  /** Of the owner, or of its command that outlived it. */
  readonly life: Life;
}

export type Acquired =
  | {
      readonly kind: 'held';
      readonly claim: Claim;
      /** The holder before did not release it: what that one started may live. */
      readonly followsDead: boolean;
    }
  | { readonly kind: 'busy'; readonly holder: Holder };

export interface Claim {
  readonly number: number;
  /** The highest number now: another than `number` means that this claim is over. */
  highest(): number;
  release(): void;
}

/** So often a name may change between two looks before it is taken for a fault of the file system. */
const ROUNDS_MAX = 10_000;

export interface ClaimOptions {
  /** Where its holder can be spoken to. */
  readonly socket?: string | null;
  /** Lower numbers were claimed in another folder, of which this one is a copy: they are over. */
  readonly foreignBelow?: number;
}

/** Takes the claim whose numbers live in `folder` (made if missing), or says who has it. Durable when it returns. */
export function acquireClaim(folder: string, now: number, options: ClaimOptions = {}): Acquired {
  const { socket = null, foreignBelow = 0 } = options;
  const isFree = (found: Standing) => isOver(found) || found.number < foreignBelow;
  const taken = takeClaim(folder, { ...ownRecord(now), socket }, isFree);
  if (taken.kind === 'held') {
    const { number, after } = taken;
    return { kind: 'held', claim: claimOf(folder, number), followsDead: after.kind === 'held' };
  }
  const { found } = taken;
  if (found.kind !== 'held') throw new Error(`${folder} is no lock`);
  return { kind: 'busy', holder: found };
}

/** Free to take: never taken, released, or its owner and its command are proven dead. */
export function isOver(found: Standing): boolean {
  switch (found.kind) {
    case 'none':
    case 'released':
      return true;
    case 'held':
      return found.life === 'dead' && found.owner.kind === 'process';
    case 'done':
      return false;
  }
}

export type Taken =
  | { readonly kind: 'held'; readonly number: number; readonly after: Standing }
  | { readonly kind: 'found'; readonly found: Standing };

export function takeClaim(
  folder: string,
  record: Omit<ClaimRecord, 'id'>,
  isFree: (found: Standing) => boolean,
  files: Files = DISK,
): Taken {
  makeFolder(folder, 0o755);
  const me = runSteps(prepare(folder, record), files);
  // A bid of our own that an old listing made us give up would make us wait for ourselves.
  const isFreeForMe = (found: Standing) =>
    isFree(found) || (found.kind === 'held' && found.owner.id === me.id);
  return withBidder(me, files, () => {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const made = runSteps(bid(me, isFreeForMe), files);
      if (made === 'again') continue;
      if (made.kind === 'held') runSteps(tidy(folder, made.number), files);
      return made;
    }
    throw new Error(`${folder} does not keep still`);
  });
}

/** What was prepared goes in any case: step 7. */
export function withBidder<T>(me: Bidder, files: Files, action: () => T): T {
  try {
    return action();
  } finally {
    runSteps(ask('remove', me.prepared), files);
  }
}

export function ownRecord(now: number): Omit<ClaimRecord, 'id'> {
  return { format: 1, kind: 'process', ...ownIdentity(), claimedAt: now, ttlMs: null, socket: null };
}

/** What is known of a name, without taking part. */
export function lookAt(folder: string, files: Files = DISK): Standing {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const found = runSteps(standing(folder), files);
    if (found !== 'gone') return found;
  }
  throw new Error(`${folder} does not keep still`);
}

/** Who has the highest number; null when nobody has, or when it was released. */
export function claimHolder(folder: string): Holder | null {
  const found = lookAt(folder);
  return found.kind === 'held' ? found : null;
}

export function claimOf(folder: string, number: number, files: Files = DISK): Claim {
  return {
    number,
    highest: () => runSteps(list(folder), files).highest,
    release: () => runSteps(release(folder, number), files),
  };
}
