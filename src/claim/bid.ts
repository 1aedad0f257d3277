/**
 * Numbered claims on a name. Creating a number is a bid; it holds if a listing made afterwards shows nothing higher.
 * The numbers only grow, so a number is a fencing token. Nobody renames, deletes or rewrites a live claim of somebody
 * else. Source: the model-checked protocol in docs/protocols.md, whose step numbers stand beside the code.
 */
import path from 'node:path';
import type { ProcessIdentity } from '../host/identity.js';
import {
  type ClaimRecord,
  type Companion,
  DamagedClaim,
  NUMBER,
  numberName,
  parseObject,
  parseRecord,
} from './record.js';
import { ask, type Life, type Steps } from './steps.js';

/** Who bids: its record is prepared, on disk, under a name that is no number. */
export interface Bidder {
  readonly folder: string;
  readonly id: string;
  readonly prepared: string;
}

/** What is known of a name: its highest number and what became of it. */
export type Standing =
  | { readonly kind: 'none'; readonly number: 0 }
  | { readonly kind: 'released'; readonly number: number }
  | { readonly kind: 'done'; readonly number: number; readonly owner: ClaimRecord }
  | {
      readonly kind: 'held';
      readonly number: number;
      readonly owner: ClaimRecord;
      /** Of the owner, or of the command that has outlived it. */
      readonly life: Life;
      readonly by: 'owner' | 'command';
      /** Its token has been handed out; without it a claim may never have held. */
      readonly hasHeld: boolean;
      /** Lower numbers that may still be trusted, down to the last that has held; none when this one has. */
      readonly below: readonly number[];
    };

export type Round<T> = T | 'again';

export type Bid =
  | { readonly kind: 'held'; readonly number: number; readonly after: Standing }
  | { readonly kind: 'found'; readonly found: Standing };

/** Claims this far below the highest are tidied away; fewer are not safe against a delayed claimant. */
const KEPT_NUMBERS = 32;

/** Prepares the record of a claim: step 1. */
export function* prepare(folder: string, record: Omit<ClaimRecord, 'id'>): Steps<Bidder> {
  const id = yield* ask('fresh');
  const prepared = path.join(folder, `tmp.${id}`);
  yield* ask('write', prepared, `${JSON.stringify({ ...record, id })}\n`);
  return { folder, id, prepared };
}

/**
 * One try; `again`: somebody else was faster, and what was seen counts no more.
 * @param above the number is to be above this one as well
 */
export function* bid(me: Bidder, isFree: (found: Standing) => boolean, above = 0): Steps<Round<Bid>> {
  const found = yield* standing(me.folder); // 2, 3
  if (found === 'gone') return 'again';
  if (!isFree(found)) return { kind: 'found', found };
  const number = Math.max(found.number, above) + 1;
  if (!(yield* create(me, number))) return 'again'; // 4
  yield* ask('sync', me.folder); // 6
  return (yield* decides(me.folder, number, found.number)) ? { kind: 'held', number, after: found } : 'again';
}

/**
 * The listing that decides: nothing higher, and nobody between what was judged and the number when some were left out.
 * A lost bid stays where it is, worth nothing. Step 5.
 */
export function* decides(folder: string, number: number, judged: number): Steps<boolean> {
  const numbers = (yield* ask('list', folder)).filter((name) => NUMBER.test(name)).map(Number);
  return numbers.includes(number) && numbers.every((other) => other <= judged || other === number);
}

/** Exactly one process can create a number. After a lost reply the number exists with our own id in it. */
export function* create(me: Bidder, number: number): Steps<boolean> {
  const target = path.join(me.folder, numberName(number));
  if (yield* ask('link', me.prepared, target)) return true;
  const text = yield* ask('read', target);
  return text !== null && (parseObject(text) as ClaimRecord | null)?.id === me.id;
}

/**
 * Who has the name now. `gone`: the number was tidied away meanwhile. The judgement belongs to the listing that it was
 * made for.
 */
export function* standing(folder: string): Steps<Standing | 'gone'> {
  const { highest: number, companions, names } = yield* listTwice(folder);
  if (number === 0) return { kind: 'none', number };
  if (companions.has('released')) return { kind: 'released', number };
  const file = path.join(folder, numberName(number));
  const text = yield* ask('read', file);
  if (text === null) return 'gone';
  const owner = parseRecord(text, file);
  if (companions.has('done')) return { kind: 'done', number, owner };
  const hasHeld = companions.has('held');
  const below = belowIn(names);
  const life = yield* ask('life', owner);
  if (life !== 'dead') return { kind: 'held', number, owner, life, by: 'owner', hasHeld, below };
  // First the death, then the record: the command is written down before it is let go.
  const command = yield* readChild(folder, number);
  if (!command) return { kind: 'held', number, owner, life, by: 'owner', hasHeld, below };
  return { kind: 'held', number, owner, life: yield* ask('life', command), by: 'command', hasHeld, below };
}

function* readChild(folder: string, number: number): Steps<ProcessIdentity | null> {
  const file = path.join(folder, numberName(number, 'child'));
  const text = yield* ask('read', file);
  if (text === null) return null;
  const child = parseObject(text);
  if (!child) throw new DamagedClaim(file);
  return child as ProcessIdentity;
}

/** Writes down the command of a claim, before it is let go. */
export function* recordChild(folder: string, number: number, child: ProcessIdentity): Steps<void> {
  const prepared = path.join(folder, `tmp.${yield* ask('fresh')}`);
  yield* ask('write', prepared, `${JSON.stringify(child)}\n`);
  yield* ask('rename', prepared, path.join(folder, numberName(number, 'child')));
}

/** A mark beside the own number and nothing else; a person may have set it already, breaking the claim. */
export function* release(folder: string, number: number): Steps<void> {
  yield* ask('mark', path.join(folder, numberName(number, 'released')));
}

/** Gives a number a companion that appears with its whole content; false when it has one. */
export function* addCompanion(
  folder: string,
  number: number,
  companion: Companion,
  content: object,
): Steps<boolean> {
  const prepared = path.join(folder, `tmp.${yield* ask('fresh')}`);
  yield* ask('write', prepared, `${JSON.stringify(content)}\n`);
  try {
    const isNew = yield* ask('link', prepared, path.join(folder, numberName(number, companion)));
    yield* ask('sync', folder);
    return isNew;
  } finally {
    yield* ask('remove', prepared);
  }
}

export interface Listing {
  /** 0: there is no number yet. */
  readonly highest: number;
  /** Companions of the highest. */
  readonly companions: ReadonlySet<string>;
  readonly names: readonly string[];
}

export function* list(folder: string): Steps<Listing> {
  const names = yield* ask('list', folder);
  let highest = 0;
  for (const name of names) if (NUMBER.test(name)) highest = Math.max(highest, Number(name));
  const prefix = `${numberName(highest)}.`;
  const companions = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return { highest, companions: new Set(companions), names };
}

/** Numbers below the highest, the next one first, down to the last that has held: below that nobody has anything. */
function belowIn(names: readonly string[]): number[] {
  const numbers = names.filter((name) => NUMBER.test(name)).sort();
  const held = numbers.findLastIndex((number) => names.includes(`${number}.held`));
  return numbers.slice(Math.max(held, 0), -1).map(Number).reverse();
}

/** An empty listing is not believed at once: a scan may miss a new name and one that was tidied away. */
function* listTwice(folder: string): Steps<Listing> {
  const first = yield* list(folder);
  return first.highest === 0 ? yield* list(folder) : first;
}

/** Removes what is far below, a claim before its companions, and what dead claimants had prepared. */
export function* tidy(folder: string, highest: number, kept = KEPT_NUMBERS): Steps<void> {
  const names = yield* ask('list', folder);
  const old = names.filter((name) => /^\d{8}/.test(name) && Number(name.slice(0, 8)) <= highest - kept);
  for (const name of old.sort((a, b) => a.length - b.length)) yield* ask('remove', path.join(folder, name));
  for (const name of names.filter((name) => name.startsWith('tmp.'))) {
    const prepared = path.join(folder, name);
    if (yield* isLeftOver(prepared)) yield* ask('remove', prepared);
  }
}

/** What cannot be read as a claim (it is being written, or is no claim) is left to whoever made it. */
function* isLeftOver(prepared: string): Steps<boolean> {
  const text = yield* ask('read', prepared);
  const owner = text === null ? null : (parseObject(text) as ClaimRecord | null);
  return owner?.format === 1 && (yield* ask('life', owner)) === 'dead';
}
