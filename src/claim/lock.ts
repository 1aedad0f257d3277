/** Locks: one at a time, for as long as the holder lives. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Standing } from './bid.js';
import { claimOf, isOver, lookAt, ownRecord, type Taken, takeClaim } from './claim.js';
import { ClaimHeld, ClaimLost } from './errors.js';
import { claimsFolder, makeClaimsFolder, nameFolder } from './place.js';

export interface LockOptions {
  /** The folder of claims; else JOBNET_LOCK_DIR, else ~/.local/state/jobnet/claims. */
  readonly dir?: string;
  /** How long to wait for it, in milliseconds; 0, the default: not at all. Infinity is allowed. */
  readonly waitMs?: number;
  /** Ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called once when it is held by somebody else and waited for. */
  readonly onWait?: (found: Standing) => void;
}

export interface Lock {
  readonly name: string;
  readonly folder: string;
  /** Grows with every holder: a fencing token. */
  readonly number: number;
  /** Aborted with {@link ClaimLost} when a person has broken it. */
  readonly signal: AbortSignal;
  release(): void;
}

/** How often a lock that is waited for is looked at: soon at first, then more and more seldom. */
const LOOK_FIRST_MS = 20;
const LOOK_LAST_MS = 500;
/** How often a holder looks whether its lock was broken. */
const GUARD_MS = 1000;

/**
 * Runs `action` while nobody else does so under this name.
 * @throws ClaimHeld when it is held and the time to wait is over
 */
export async function withLock<T>(
  name: string,
  action: (lock: Lock) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await acquireLock(name, options);
  try {
    return await action(lock);
  } finally {
    lock.release();
  }
}

/** @throws ClaimHeld, WrongName, DamagedClaim */
export async function acquireLock(name: string, options: LockOptions = {}): Promise<Lock> {
  const claims = claimsFolder(options.dir, process.env);
  const folder = nameFolder(claims, name);
  makeClaimsFolder(claims);
  const { waitMs = 0, signal } = options;
  const until = performance.now() + waitMs;
  for (let pause = LOOK_FIRST_MS, isFirst = true; ; pause = Math.min(pause * 1.5, LOOK_LAST_MS)) {
    const taken = takeIfOver(folder, isFirst);
    if (taken.kind === 'held') return lockOf(name, folder, taken.number);
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new ClaimHeld(name, folder, taken.found);
    if (isFirst) options.onWait?.(taken.found);
    isFirst = false;
    await sleep(Math.max(0, Math.min(pause, leftMs)), undefined, { signal });
  }
}

/** Looking costs nothing of the disk; a bid does. */
function takeIfOver(folder: string, isFirst: boolean): Taken {
  const found = isFirst ? null : lookAt(folder);
  if (found && !isOver(found)) return { kind: 'found', found };
  return takeClaim(folder, ownRecord(Date.now()), isOver);
}

function lockOf(name: string, folder: string, number: number): Lock {
  const claim = claimOf(folder, number);
  const loss = new AbortController();
  const guard = setInterval(() => {
    const found = lookAt(folder);
    if (found.number === number && found.kind === 'held') return;
    clearInterval(guard);
    loss.abort(new ClaimLost(name, folder, number));
  }, GUARD_MS);
  guard.unref();
  const release = () => {
    clearInterval(guard);
    claim.release();
  };
  return { name, folder, number, signal: loss.signal, release };
}
