/**
 * Leases: claims that are held while they beat. Whoever wants one watches the beat for its whole time to live on the
 * own clock; clocks of others decide nothing. Source: docs/protocols.md, "Leases".
 */
import path from 'node:path';
import { type Bidder, bid, create, decides, list, type Round, type Standing, standing } from './bid.js';
import { type BeatRecord, type ClaimRecord, numberName, parseObject, parseRecord } from './record.js';
import { ask, type Moment, type Steps } from './steps.js';

/** What a watcher has seen, and since when on its steady clock; a different beat starts the watch anew. */
export interface Watch {
  readonly number: number;
  readonly beat: string | null;
  readonly since: number;
}

export type LeaseRound =
  /** Trust begins at `since`; the record of having held is written. */
  | { readonly kind: 'held'; readonly number: number; readonly since: Moment }
  /** Somebody has it, or seems to: look again, at the latest in `leftMs`. */
  | { readonly kind: 'watching'; readonly watch: Watch; readonly found: Held; readonly leftMs: number }
  /** The bid came while the other woke up: to be confirmed when `waitMs` are over. */
  | { readonly kind: 'bidden'; readonly number: number; readonly waitMs: number }
  /** The name is a lock. */
  | { readonly kind: 'lock'; readonly found: Standing };

export type Held = Extract<Standing, { kind: 'held' }>;

/**
 * One look at a lease, and one try when it is free or has stood still for its whole time to live.
 * @param above the number is to be above this one as well
 */
export function* tryLease(
  me: Bidder,
  ttlMs: number,
  watched: Watch | null,
  above = 0,
): Steps<Round<LeaseRound>> {
  const found = yield* standing(me.folder);
  if (found === 'gone') return 'again';
  if (found.kind === 'done') return { kind: 'lock', found };
  if (found.kind !== 'held' || isProvenOver(found)) return yield* takeFree(me, found, above);
  if (found.owner.ttlMs === null) return { kind: 'lock', found };
  const beat = yield* ask('read', beatFile(me.folder, found.number));
  const { steady } = yield* ask('now');
  const isSame = watched?.number === found.number && watched.beat === beat;
  const watch = isSame ? watched : { number: found.number, beat, since: steady };
  const leftMs = watch.since + (yield* longestTtl(me.folder, found, beat)) - steady;
  if (leftMs > 0) return { kind: 'watching', watch, found, leftMs };
  return yield* takeOver(me, { ttlMs, above }, found, beat);
}

/** Below a claim that never held another may still have trust, from before that bid and for a longer time. */
function* longestTtl(folder: string, { owner, below }: Held, beat: string | null): Steps<number> {
  let longest = ttlOf(owner, beat);
  for (const lower of below) {
    const file = path.join(folder, numberName(lower));
    const text = yield* ask('read', file);
    const lowerBeat = yield* ask('read', beatFile(folder, lower));
    if (text !== null) longest = Math.max(longest, ttlOf(parseRecord(text, file), lowerBeat));
  }
  return longest;
}

/** A claim that never held says nothing by its death: below it another may still have trust. */
function isProvenOver({ owner, life, hasHeld }: Held): boolean {
  return owner.kind === 'both' && life === 'dead' && hasHeld;
}

function* takeFree(me: Bidder, free: Standing, above: number): Steps<Round<LeaseRound>> {
  const since = yield* ask('now');
  const isStillFree = (found: Standing) => found.kind === free.kind && found.number === free.number;
  const made = yield* bid(me, isStillFree, above);
  if (made === 'again' || made.kind === 'found') return 'again';
  return yield* hold(me.folder, made.number, since);
}

/** Bid, read the old beat once more, list: in this order. */
function* takeOver(
  me: Bidder,
  { ttlMs, above }: { ttlMs: number; above: number },
  found: Held,
  before: string | null,
): Steps<Round<LeaseRound>> {
  const since = yield* ask('now');
  const number = Math.max(found.number, above) + 1;
  if (!(yield* create(me, number))) return 'again';
  yield* ask('sync', me.folder);
  const after = yield* ask('read', beatFile(me.folder, found.number));
  if (!(yield* decides(me.folder, number, found.number))) return 'again';
  if (after === before) return yield* hold(me.folder, number, since);
  yield* writeBeat(me.folder, number, ttlMs);
  return { kind: 'bidden', number, waitMs: ttlOf(found.owner, after ?? before) };
}

/** Written before the token is handed out: without it nobody may conclude anything from the owner's death. */
function* hold(folder: string, number: number, since: Moment): Steps<LeaseRound> {
  yield* ask('mark', path.join(folder, numberName(number, 'held')));
  return { kind: 'held', number, since };
}

/** A bid that came while the other woke up, after its wait: it holds if nobody came meanwhile. */
export function* confirm(me: Bidder, number: number, ttlMs: number): Steps<Round<LeaseRound>> {
  const since = yield* beat(me.folder, number, ttlMs);
  return since ? yield* hold(me.folder, number, since) : 'again';
}

/** From when on the lease may be trusted again, for its time to live less the margin; null: it is lost. */
export function* beat(folder: string, number: number, ttlMs: number): Steps<Moment | null> {
  const since = yield* ask('now');
  yield* writeBeat(folder, number, ttlMs);
  const { highest, companions } = yield* list(folder);
  return highest === number && !companions.has('released') ? since : null;
}

function* writeBeat(folder: string, number: number, ttlMs: number): Steps<void> {
  const file = beatFile(folder, number);
  const last = yield* ask('read', file);
  const id = yield* ask('fresh');
  const { unix } = yield* ask('now');
  const record: BeatRecord = { counter: (parseBeat(last)?.counter ?? 0) + 1, id, at: unix, ttlMs };
  const prepared = path.join(folder, `tmp.${id}`);
  yield* ask('write', prepared, `${JSON.stringify(record)}\n`);
  yield* ask('rename', prepared, file);
}

function beatFile(folder: string, number: number): string {
  return path.join(folder, numberName(number, 'beat'));
}

export function parseBeat(text: string | null): BeatRecord | null {
  return text === null ? null : (parseObject(text) as BeatRecord | null);
}

/** A renewal may have given it another one. */
export function ttlOf(owner: ClaimRecord, beat: string | null): number {
  return parseBeat(beat)?.ttlMs ?? owner.ttlMs ?? 0;
}

export function* currentTtl(folder: string, number: number, owner: ClaimRecord): Steps<number> {
  return ttlOf(owner, yield* ask('read', beatFile(folder, number)));
}

/** For how long after its moment a beat may be trusted: clocks may differ in rate by the margin. */
export function trustOf(ttlMs: number): number {
  return ttlMs - Math.max(ttlMs / 10, MARGIN_MIN_MS);
}

const MARGIN_MIN_MS = 1000;
