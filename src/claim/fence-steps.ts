/**
 * Writing under a fencing token: the target never goes back to a lower number, not even for a moment. The accepted
 * writer takes the prepared files of everybody below away before its own rename, so that a late one fails.
 * Source: docs/protocols.md, "Fenced writes".
 */
import path from 'node:path';
import type { ProcessIdentity } from '../host/identity.js';
import { list, type Round } from './bid.js';
import { NUMBER, numberName, parseObject } from './record.js';
import { ask, type Steps } from './steps.js';

interface FenceEntry extends ProcessIdentity {
  readonly token: number;
  readonly id: string;
}

export interface FencedWrite {
  readonly target: string;
  readonly token: number;
  readonly writer: ProcessIdentity;
  /** Makes a file with the whole new content, on disk when it returns. */
  readonly content: (file: string) => Steps<void>;
  /** Entries kept below the highest. */
  readonly kept?: number;
}

export type Fenced =
  | { readonly kind: 'written'; readonly number: number }
  /** A higher token has written, or a later write of the same one. */
  | { readonly kind: 'refused'; readonly token: number };

const KEPT_ENTRIES = 32;

/** One try with a content file of its own; `again` asks for another, after a random while. */
export function* tryFencedWrite(write: FencedWrite): Steps<Round<Fenced>> {
  const { target, token } = write;
  const folder = fenceFolder(target);
  const seen = parseFence(yield* ask('read', fenceFile(target)), fenceFile(target)); // 1
  if (seen > token) return { kind: 'refused', token: seen };
  const entry: FenceEntry = { ...write.writer, token, id: yield* ask('fresh') };
  const prepared = path.join(folder, `tmp.${entry.id}`);
  yield* ask('write', prepared, `${JSON.stringify(entry)}\n`);
  let made: Round<Fenced> | 'lost' = 'lost';
  try {
    yield* write.content(path.join(folder, `c.${entry.id}`));
    yield* ask('write', path.join(folder, `f.${entry.id}`), String(token));
    const number = yield* enter(folder, prepared, entry); // 2, 3
    made = typeof number === 'number' ? yield* decide(write, folder, number, entry.id) : number;
  } finally {
    if (made === 'lost' || made === 'again' || made.kind === 'refused') yield* revoke(folder, entry.id);
    yield* ask('remove', prepared);
  }
  return made;
}

/** The number of the entry, or why there is none. */
function* enter(folder: string, prepared: string, entry: FenceEntry): Steps<number | Fenced> {
  for (;;) {
    const { highest } = yield* list(folder);
    const last = highest === 0 ? null : yield* readWholeEntry(entryFile(folder, highest));
    if (last === 'gone') continue;
    if (last && last.token > entry.token) return { kind: 'refused', token: last.token };
    const number = highest + 1;
    if (yield* ask('link', prepared, entryFile(folder, number))) return number;
    if ((yield* readEntry(entryFile(folder, number)))?.id === entry.id) return number;
  }
}

function* decide(write: FencedWrite, folder: string, number: number, id: string): Steps<Round<Fenced>> {
  const names = yield* ask('list', folder); // 4: the entry of a lost bid stays where it is
  const numbers = names.filter((name) => NUMBER.test(name)).map(Number);
  if (Math.max(...numbers) !== number) return 'again';
  for (const lower of numbers.filter((other) => other < number)) {
    const entry = yield* readEntry(entryFile(folder, lower));
    if (entry) yield* revoke(folder, entry.id); // 5
  }
  return yield* accept(write, folder, number, id);
}

function* accept({ target, kept }: FencedWrite, folder: string, number: number, id: string): Steps<Fenced> {
  const renames: readonly [from: string, to: string][] = [
    [`f.${id}`, fenceFile(target)],
    [`c.${id}`, target],
  ];
  // 6: the fence goes first, as in the recipe that it comes from; whose fence was taken away shows no content either.
  for (const [from, to] of renames) {
    if (yield* ask('rename', path.join(folder, from), to)) continue;
    const { highest } = yield* list(folder);
    // The highest still: only the reply was lost.
    if (highest !== number)
      return { kind: 'refused', token: (yield* readEntry(entryFile(folder, highest)))?.token ?? 0 };
  }
  yield* ask('sync', path.dirname(target));
  yield* tidy(folder, number - (kept ?? KEPT_ENTRIES));
  return { kind: 'written', number };
}

/** The content before the entry that leads to it; and what writers left that died before they had one. */
function* tidy(folder: string, last: number): Steps<void> {
  for (const name of yield* ask('list', folder)) {
    const isOld = NUMBER.test(name) && Number(name) <= last;
    if (!isOld && !name.startsWith('tmp.')) continue;
    const file = path.join(folder, name);
    const entry = yield* readEntry(file);
    if (!isOld && (!entry || (yield* ask('life', entry)) !== 'dead')) continue;
    if (entry) yield* revoke(folder, entry.id);
    yield* ask('remove', file);
  }
}

function* revoke(folder: string, id: string): Steps<void> {
  yield* ask('remove', path.join(folder, `f.${id}`));
  yield* ask('remove', path.join(folder, `c.${id}`));
}

/** What decides must be readable: nobody knows which token a damaged one stands for. */
function* readWholeEntry(file: string): Steps<FenceEntry | 'gone'> {
  const text = yield* ask('read', file);
  if (text === null) return 'gone';
  const entry = parseObject(text) as Partial<FenceEntry> | null;
  if (typeof entry?.token !== 'number' || typeof entry.id !== 'string') throw new DamagedFence(file);
  return entry as FenceEntry;
}

function* readEntry(file: string): Steps<FenceEntry | null> {
  const text = yield* ask('read', file);
  return text === null ? null : (parseObject(text) as FenceEntry | null);
}

function entryFile(folder: string, number: number): string {
  return path.join(folder, numberName(number));
}

export function fenceFolder(target: string): string {
  return `${target}.fence.d`;
}

export function fenceFile(target: string): string {
  return `${target}.fence`;
}

/** The highest token that has written; an empty or missing file counts as 0. */
export function parseFence(text: string | null, file: string): number {
  const digits = (text ?? '').trim();
  if (digits === '') return 0;
  if (!/^\d{1,15}$/.test(digits)) throw new DamagedFence(file);
  return Number(digits);
}

/** The fence beside the target holds no number, or its newest entry no token. */
export class DamagedFence extends Error {
  constructor(readonly file: string) {
    super(`no token in ${file}`);
  }
}
