/** A lease as files: taken, renewed and released by whoever has its token, in whatever process. */

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../host/durable.js';
import { ownIdentity } from '../host/identity.js';
import { list, prepare, type Round, release, tidy } from './bid.js';
import { DISK } from './disk.js';
import { beat, confirm, currentTtl, type LeaseRound, tryLease, type Watch } from './lease-steps.js';
import { nameFolder } from './place.js';
import { type ClaimRecord, numberName, parseRecord } from './record.js';
import {
  foreignLease,
  highestSeedToken,
  isNoScripts,
  isOurs,
  mirrorAcquired,
  mirrorRenewed,
  type SeedLease,
  seedHolder,
} from './seed-lease.js';
import { ask, type Files, type Moment, runSteps } from './steps.js';

/** A name of a lease: the folder in which old scripts have theirs, and that of its claims. */
export interface LeasePlace {
  readonly name: string;
  readonly folder: string;
  readonly claims: string;
}

export function leasePlace(folder: string, name: string): LeasePlace {
  return { name, folder, claims: nameFolder(folder, name) };
}

export type LeaseKind = Exclude<ClaimRecord['kind'], 'process'>;

export type LeaseLook =
  | Exclude<LeaseRound, { kind: 'bidden' }>
  /** An old script has it. */
  | { readonly kind: 'seed'; readonly lease: SeedLease };

/** Somebody who wants a lease. */
export interface Suitor {
  /** One look, and one try when it is free; the answer `watching` says when the next look is worth it. */
  look(): Promise<LeaseLook>;
  /** Takes what was prepared away. */
  close(): void;
}

export function createSuitor(place: LeasePlace, kind: LeaseKind, ttlMs: number, files: Files = DISK): Suitor {
  makeFolder(place.claims, 0o755);
  const { unix } = files.now();
  const record = { format: 1, kind, ...ownIdentity(), claimedAt: unix, ttlMs, socket: null } as const;
  const me = runSteps(prepare(place.claims, record), files);
  let watch: Watch | null = null;

  async function look(): Promise<LeaseLook> {
    for (;;) {
      const foreign = runSteps(foreignLease(place, files.now().unix), files);
      if (foreign) return { kind: 'seed', lease: foreign };
      const above = runSteps(highestSeedToken(place), files);
      const round = await afterWait(runSteps(tryLease(me, ttlMs, watch, above), files));
      if (round === 'again') continue;
      if (round.kind === 'watching') watch = round.watch;
      if (round.kind !== 'held' || entered(round.number)) return round;
    }
  }

  /** A bid that came while the other woke up waits before it counts. */
  async function afterWait(
    round: Round<LeaseRound>,
  ): Promise<Round<Exclude<LeaseRound, { kind: 'bidden' }>>> {
    if (round === 'again' || round.kind !== 'bidden') return round;
    await sleep(round.waitMs);
    return await afterWait(runSteps(confirm(me, round.number, ttlMs), files));
  }

  /** Shows old scripts that it is held; false: one of them came in between. */
  function entered(number: number): boolean {
    const { unix } = files.now();
    const mirror = { holder: seedHolder({ ...record, id: me.id }), token: number, expires: unix + ttlMs };
    const isMirrored = runSteps(mirrorAcquired(place, mirror, unix), files);
    if (isMirrored) runSteps(tidy(place.claims, number), files);
    else runSteps(release(place.claims, number), files);
    return isMirrored;
  }

  return { look, close: () => void runSteps(ask('remove', me.prepared), files) };
}

/** A renewal by token. Null: another has it, or it was released or broken. */
export function renewLease(
  place: LeasePlace,
  number: number,
  ttlMs: number,
  files: Files = DISK,
): Moment | null {
  const owner = recordOf(place, number, files);
  if (!owner || !runSteps(isNoScripts(place), files)) return null;
  const since = runSteps(beat(place.claims, number, ttlMs), files);
  if (!since) return null;
  const mirror = { holder: seedHolder(owner), token: number, expires: since.unix + ttlMs };
  if (!runSteps(mirrorRenewed(place, mirror), files)) return null;
  // Halted before it was shown, another may have taken it.
  return runSteps(list(place.claims), files).highest === number ? since : null;
}

/** False: it was no longer that of this token. */
export function releaseLease(place: LeasePlace, number: number, files: Files = DISK): boolean {
  const owner = recordOf(place, number, files);
  const { highest, companions } = runSteps(list(place.claims), files);
  if (!owner || highest !== number || companions.has('released')) return false;
  runSteps(release(place.claims, number), files);
  const mirror = { holder: seedHolder(owner), token: number, expires: files.now().unix };
  if (runSteps(isOurs(place, mirror.holder), files)) runSteps(mirrorRenewed(place, mirror), files);
  return true;
}

/** For how long a renewal of this token counts now; null when there is none (any more). */
export function ttlNow(place: LeasePlace, number: number, files: Files = DISK): number | null {
  const owner = recordOf(place, number, files);
  return owner && runSteps(currentTtl(place.claims, number, owner), files);
}

/** What the claim of a token was made with; null when there is none (any more). */
function recordOf(place: LeasePlace, number: number, files: Files = DISK): ClaimRecord | null {
  const file = path.join(place.claims, numberName(number));
  const text = runSteps(ask('read', file), files);
  return text === null ? null : parseRecord(text, file);
}
