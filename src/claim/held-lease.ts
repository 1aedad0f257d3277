/** A lease that is kept by this process: it beats until it is released, and says when it can be trusted no more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { BeaterData, BeatMessage } from './beater.js';
import { now, passedSince } from './clock.js';
import { ClaimHeld, ClaimLost } from './errors.js';
import {
  createSuitor,
  type LeaseKind,
  type LeaseLook,
  type LeasePlace,
  leasePlace,
  releaseLease,
} from './lease.js';
import { parseBeat, trustOf, ttlOf } from './lease-steps.js';
import { leasesFolder, makeClaimsFolder } from './place.js';
import type { Moment } from './steps.js';

export interface LeaseOptions {
  /** The folder of leases; else LEASE_DIR, JOBNET_LOCK_DIR, ~/.local/state/jobnet/claims. */
  readonly dir?: string;
  /** For how long a beat counts, in milliseconds; at least 3,000, 120,000 by default. */
  readonly ttlMs?: number;
  /** How long to wait for it, in milliseconds; 0, the default: only while its holder seems to be gone. */
  readonly waitMs?: number;
  /** Ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called when a lease is watched whose holder seems to be gone. */
  readonly onWatch?: (look: LeaseLook) => void;
}

export interface Lease {
  readonly name: string;
  readonly folder: string;
  /** The fencing token: higher than that of every holder before. */
  readonly token: number;
  /** Aborted with {@link ClaimLost} when the lease is lost or cannot be trusted any more. */
  readonly signal: AbortSignal;
  /** For how many milliseconds from now it can be trusted; 0: no longer. */
  trustedMs(): number;
  release(): Promise<void>;
}

const TTL_MS = 120_000;
export const TTL_MIN_MS = 3000;

/**
 * Takes a lease and keeps it by beating in a thread of its own. While it can be trusted no other process that uses
 * jobnet trusts it; what was begun then may take effect later: write under its token.
 * @throws ClaimHeld
 */
export async function acquireLease(name: string, options: LeaseOptions = {}): Promise<Lease> {
  return keepLease(await wooLease(name, 'both', options));
}

export interface Won {
  readonly place: LeasePlace;
  readonly number: number;
  readonly since: Moment;
  readonly ttlMs: number;
}

/**
 * Takes a lease without keeping it. Without a time to wait one that was renewed lately is held; one whose time is over
 * by its own clock is watched for its whole time to live on ours, as clocks differ.
 * @throws ClaimHeld
 */
export async function wooLease(name: string, kind: LeaseKind, options: LeaseOptions): Promise<Won> {
  const folder = leasesFolder(options.dir, process.env);
  const place = leasePlace(folder, name);
  const ttlMs = options.ttlMs ?? TTL_MS;
  if (!(ttlMs >= TTL_MIN_MS)) throw new RangeError(`a lease lives at least ${TTL_MIN_MS} ms`);
  makeClaimsFolder(folder);
  const until = performance.now() + (options.waitMs ?? 0);
  const suitor = createSuitor(place, kind, ttlMs);
  let watched: number | null = null;
  try {
    for (;;) {
      const look = await suitor.look();
      if (look.kind === 'held') return { place, number: look.number, since: look.since, ttlMs };
      const isOver = performance.now() >= until;
      const found = look.kind === 'seed' ? look.lease.holder : look.found;
      if (look.kind === 'lock' || (isOver && isRenewed(look, watched)))
        throw new ClaimHeld(name, place.claims, found);
      if (watched === null) options.onWatch?.(look);
      watched = look.kind === 'watching' ? look.watch.since : 0;
      await sleep(pauseOf(look), undefined, { signal: options.signal });
    }
  } finally {
    suitor.close();
  }
}

/** @param watched since when it has been watched, on the steady clock; null: this is the first look */
function isRenewed(look: LeaseLook, watched: number | null): boolean {
  if (look.kind !== 'watching') return true;
  return watched === null ? isFresh(look) : look.watch.since !== watched;
}

/** By the clock of whoever wrote it; a time that is not yet says nothing. */
function isFresh({ found, watch }: Extract<LeaseLook, { kind: 'watching' }>): boolean {
  const ttlMs = ttlOf(found.owner, watch.beat);
  const beatAt = parseBeat(watch.beat)?.at ?? found.owner.claimedAt;
  const age = Date.now() - beatAt;
  return age < ttlMs && age > -ttlMs;
}

const LOOK_MS = 500;

function pauseOf(look: LeaseLook): number {
  return look.kind === 'watching' ? Math.min(LOOK_MS, Math.max(1, look.leftMs)) : LOOK_MS;
}

/** Beats until the lease is released or lost. */
export function keepLease({ place, number, since, ttlMs }: Won): Lease {
  const loss = new AbortController();
  let trusted = since;
  const { port1: beats, port2: port } = new MessageChannel();
  const data: BeaterData = { place, number, ttlMs, port };
  const beater = new Worker(new URL('beater.js', import.meta.url), {
    workerData: data,
    transferList: [port],
  });

  function hear(message: BeatMessage): void {
    if (!('since' in message)) return;
    // A beat that comes too late finds that work was stopped already.
    if (message.since) trusted = message.since;
    else lose();
  }

  /** Beats that came while this thread was busy count: they are heard before it is judged. */
  function trustedMs(): number {
    for (let next = receiveMessageOnPort(beats); next; next = receiveMessageOnPort(beats)) hear(next.message);
    return loss.signal.aborted ? 0 : Math.max(0, trustOf(ttlMs) - passedSince(trusted, now()));
  }

  // The machine may have slept: the clocks are asked, not the timer.
  const guard = setInterval(
    () => {
      if (trustedMs() === 0) lose();
    },
    Math.min(1000, ttlMs / 10),
  );
  beats.on('message', hear);
  beats.unref();
  // Without its thread it does not beat any more, and trust runs out.
  beater.on('error', () => undefined);
  beater.unref();

  function stop(): Promise<number> {
    clearInterval(guard);
    beats.close();
    return beater.terminate();
  }

  function lose(): void {
    void stop();
    loss.abort(new ClaimLost(place.name, place.claims, number));
  }

  async function release(): Promise<void> {
    await stop();
    releaseLease(place, number);
  }

  return { name: place.name, folder: place.claims, token: number, signal: loss.signal, trustedMs, release };
}
