/** Once: what has been begun for a key, whatever its end, is not begun again by itself. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from '../host/durable.js';
import { addCompanion, type Standing } from './bid.js';
import { lookAt, ownRecord, takeClaim } from './claim.js';
import { DISK } from './disk.js';
import { ClaimHeld, OnceLost } from './errors.js';
import { type Period, periodKey, systemZone } from './period.js';
import { claimsFolder, keyFolder, makeClaimsFolder } from './place.js';
import {
  type Companion,
  type DoneRecord,
  NUMBER,
  numberName,
  parseObject,
  type ReleaseRecord,
} from './record.js';
import { ask, type Files, runSteps } from './steps.js';

export interface OnceOptions {
  /** The folder of claims; else JOBNET_LOCK_DIR, else ~/.local/state/jobnet/claims. */
  readonly dir?: string;
  /** What it is to be done once for; else the period of `per` in `zone`. */
  readonly key?: string;
  readonly per?: Period;
  /** A name of the IANA time zone database; the zone of the system by default. */
  readonly zone?: string;
  /** Again when it failed for this key. */
  readonly againIfFailed?: boolean;
  /** Again when it was begun for this key and nobody knows how it ended. */
  readonly againIfLost?: boolean;
  /** For how long ends are kept, in milliseconds; 7 days by default. */
  readonly keepMs?: number;
}

export type OnceBegun =
  | { readonly kind: 'begun'; readonly key: string; readonly folder: string; readonly number: number }
  | { readonly kind: 'done'; readonly key: string; readonly folder: string; readonly done: DoneRecord };

export type OnceResult<T> =
  | { readonly kind: 'ran'; readonly key: string; readonly value: T }
  | { readonly kind: 'done'; readonly key: string; readonly done: DoneRecord };

/**
 * Runs `action` unless it has been run for the key. Its end is recorded: a return as 0, an error as 1.
 * @throws ClaimHeld while it runs; OnceLost when it was begun and its end is not known
 */
export async function once<T>(
  name: string,
  action: () => T | Promise<T>,
  options: OnceOptions = {},
): Promise<OnceResult<T>> {
  const begun = beginOnce(name, options);
  if (begun.kind === 'done') return begun;
  try {
    const value = await action();
    endOnce(begun, { code: 0, signal: null, endedAt: Date.now() });
    return { kind: 'ran', key: begun.key, value };
  } catch (error) {
    endOnce(begun, { code: 1, signal: null, endedAt: Date.now() });
    throw error;
  }
}

/** The key that is current by these options. */
export function onceKey(options: Pick<OnceOptions, 'key' | 'per' | 'zone'>, unix: number): string {
  return options.key ?? periodKey(options.per ?? 'day', options.zone ?? systemZone(), unix);
}

/** Takes the key; the caller runs what is to be done and then calls {@link endOnce}. */
export function beginOnce(name: string, options: OnceOptions, files: Files = DISK): OnceBegun {
  const claims = claimsFolder(options.dir, process.env);
  const now = Date.now();
  const key = onceKey(options, now);
  const folder = keyFolder(claims, name, key);
  makeClaimsFolder(claims);
  const isFree = (found: Standing) => isFreeToBegin(found, folder, options);
  for (;;) {
    // Most calls find it done: they need not bid.
    const seen = lookAt(folder, files);
    const taken = isFree(seen)
      ? takeClaim(folder, ownRecord(now), isFree, files)
      : { kind: 'found' as const, found: seen };
    if (taken.kind === 'held') {
      tidyKeys(claims, name, key, now - (options.keepMs ?? KEEP_MS));
      return { kind: 'begun', key, folder, number: taken.number };
    }
    const { found } = taken;
    if (found.kind === 'held' && found.life === 'dead') {
      if (readDone(folder, found.number)) continue;
      throw new OnceLost(name, folder, key);
    }
    if (found.kind !== 'done') throw new ClaimHeld(name, folder, found);
    const done = readDone(folder, found.number);
    if (done) return { kind: 'done', key, folder, done };
  }
}

const KEEP_MS = 7 * 86_400_000;

function isFreeToBegin(found: Standing, folder: string, options: OnceOptions): boolean {
  switch (found.kind) {
    case 'none':
    case 'released':
      return true;
    case 'held':
      // It may have said how it ended after it was looked for, and only then have died.
      return found.life === 'dead' && options.againIfLost === true && !readDone(folder, found.number);
    case 'done':
      return options.againIfFailed === true && readDone(folder, found.number)?.code !== 0;
  }
}

/** Records the end; durable when it returns. */
export function endOnce({ folder, number }: { folder: string; number: number }, done: DoneRecord): void {
  runSteps(addCompanion(folder, number, 'done', done), DISK);
}

/** Null: it has none, or the key was tidied away meanwhile. */
export function readDone(folder: string, number: number): DoneRecord | null {
  return parseObject(readCompanion(folder, number, 'done') ?? '') as DoneRecord | null;
}

function readCompanion(folder: string, number: number, companion: Companion): string | null {
  return runSteps(ask('read', path.join(folder, numberName(number, companion))), DISK);
}

/** Frees a key, by a person; false: there is nothing to free. */
export function forgetOnce(folder: string, reason: string, by: string): boolean {
  const found = lookAt(folder);
  if (found.kind === 'none' || found.kind === 'released') return false;
  return runSteps(addCompanion(folder, found.number, 'released', { by, reason, at: Date.now() }), DISK);
}

/** So many old keys are looked at by one call: ten thousand of them do not hold it up. */
const TIDIED_MAX = 16;

/** Removes keys that have been over since `before`, never the current one, nor one without an end. */
function tidyKeys(claims: string, name: string, current: string, before: number): void {
  const own = path.basename(keyFolder(claims, name, current));
  const keys = namesIn(claims).filter((other) => other.startsWith(`${name}@`) && other !== own);
  // Anywhere among them: some may have to stay.
  const from = Math.floor(Math.random() * Math.max(1, keys.length - TIDIED_MAX + 1));
  for (const key of keys.slice(from, from + TIDIED_MAX)) {
    const folder = path.join(claims, key);
    if (overSince(folder) < before) removeWhole(claims, folder, before);
  }
}

/** Infinity: it is not over. */
function overSince(folder: string): number {
  const last = namesIn(folder)
    .filter((name) => NUMBER.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .at(-1);
  if (last === undefined) return Number.POSITIVE_INFINITY;
  const released = parseObject(readCompanion(folder, last, 'released') ?? '') as ReleaseRecord | null;
  return released?.at ?? readDone(folder, last)?.endedAt ?? Number.POSITIVE_INFINITY;
}

/** Renamed first: nobody finds half a key, and one that was begun again in between goes back. */
function removeWhole(claims: string, folder: string, before: number): void {
  const gone = path.join(claims, `tmp.${runSteps(ask('fresh'), DISK)}`);
  if (!runSteps(ask('rename', folder, gone), DISK)) return;
  if (overSince(gone) < before) rmSync(gone, { recursive: true, force: true });
  else runSteps(ask('rename', gone, folder), DISK);
}
