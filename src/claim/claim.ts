/**
 * A numbered claim on a name, kind `process`: held while its owner lives, however long that is frozen.
 * Creating a number is a bid; it holds if a listing made afterwards shows nothing higher. The numbers only grow,
 * so a number is a fencing token. Nobody renames, deletes or rewrites a live claim of somebody else.
 * Source: the model-checked protocol in docs/protocols.md, whose step numbers stand beside the code.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createDurably, hasCode, namesIn, syncFolder } from '../host/durable.js';
import { lifeOfProcess, ownIdentity, type ProcessIdentity } from '../host/identity.js';

/** What a claim file holds; it appears with its whole content and is never rewritten. */
export interface ClaimRecord extends ProcessIdentity {
  readonly format: 1;
  readonly kind: 'process';
  /** Tells "is it me?" when the reply to a `link` was lost. */
  readonly id: string;
  /** Milliseconds of Unix time; for people. */
  readonly claimedAt: number;
}

export type OwnerLife = ReturnType<typeof lifeOfProcess>;

export interface Holder {
  readonly number: number;
  readonly owner: ClaimRecord;
  readonly life: OwnerLife;
}

export type Acquired =
  | { readonly kind: 'held'; readonly claim: Claim }
  | { readonly kind: 'busy'; readonly holder: Holder };

export interface Claim {
  readonly number: number;
  /** The highest number now: another than `number` means that this claim is over. */
  highest(): number;
  release(): void;
}

/** Claims this far below the highest are tidied away; fewer are not safe against a delayed claimant. */
const KEPT_NUMBERS = 32;

/** Takes the claim whose numbers live in `folder` (made if missing), or says who has it. Durable when it returns. */
export function acquireClaim(folder: string, now: number): Acquired {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const record: ClaimRecord = {
    format: 1,
    kind: 'process',
    ...ownIdentity(),
    id: randomBytes(16).toString('hex'),
    claimedAt: now,
  };
  const prepared = path.join(folder, `tmp.${record.id}`);
  try {
    createDurably(prepared, `${JSON.stringify(record)}\n`); // 1, 6
    for (;;) {
      const before = listTwice(folder); // 2
      const holder = holderOf(folder, before); // 3
      if (holder === 'gone') continue;
      if (holder && holder.life !== 'dead') return { kind: 'busy', holder };
      const bid = before.highest + 1;
      if (!create(folder, prepared, bid, record.id)) continue; // 4
      syncFolder(folder); // 6
      if (list(folder).highest !== bid) continue; // 5: the lost bid stays where it is, worth nothing
      tidy(folder, bid);
      return { kind: 'held', claim: heldClaim(folder, bid) };
    }
  } finally {
    rmSync(prepared, { force: true }); // 7
  }
}

/** Who has the highest number, without taking part: null when nobody has, or when it was released. */
export function claimHolder(folder: string): Holder | null {
  for (;;) {
    const holder = holderOf(folder, list(folder));
    if (holder !== 'gone') return holder;
  }
}

function heldClaim(folder: string, number: number): Claim {
  return {
    number,
    highest: () => list(folder).highest,
    release: () => release(folder, number),
  };
}

/** A mark beside the own number, and nothing else; a person may have set it already, breaking the claim. */
function release(folder: string, number: number): void {
  try {
    closeSync(openSync(path.join(folder, `${numberName(number)}.released`), 'wx', 0o644));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

interface Listing {
  /** 0: there is no number yet. */
  readonly highest: number;
  readonly isReleased: boolean;
}

/** A judgement belongs to the listing it was made for. `gone`: the number was tidied away meanwhile, list again. */
function holderOf(folder: string, { highest, isReleased }: Listing): Holder | null | 'gone' {
  if (highest === 0 || isReleased) return null;
  const owner = readRecord(path.join(folder, numberName(highest)));
  return owner ? { number: highest, owner, life: lifeOfProcess(owner) } : 'gone';
}

function list(folder: string): Listing {
  let highest = 0;
  const names = new Set(namesIn(folder));
  for (const name of names) if (NUMBER.test(name)) highest = Math.max(highest, Number(name));
  return { highest, isReleased: names.has(`${numberName(highest)}.released`) };
}

/** An empty listing is not believed at once: a scan may miss a new name and one that was tidied away. */
function listTwice(folder: string): Listing {
  const first = list(folder);
  return first.highest === 0 ? list(folder) : first;
}

const NUMBER = /^\d{8}$/;

function numberName(number: number): string {
  return String(number).padStart(8, '0');
}

function readRecord(file: string): ClaimRecord | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Exactly one process can create a number. After a lost reply the number exists with our own id in it. */
function create(folder: string, prepared: string, number: number, id: string): boolean {
  const target = path.join(folder, numberName(number));
  try {
    linkSync(prepared, target);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return readRecord(target)?.id === id;
  }
}

/** Removes what is far below, the claim before its companions, and what dead claimants had prepared. */
function tidy(folder: string, highest: number): void {
  const names = namesIn(folder);
  const old = names.filter(
    (name) => /^\d{8}/.test(name) && Number(name.slice(0, 8)) <= highest - KEPT_NUMBERS,
  );
  const prepared = names.filter((name) => name.startsWith('tmp.') && isLeftOver(path.join(folder, name)));
  for (const name of [...old.sort((a, b) => a.length - b.length), ...prepared]) {
    rmSync(path.join(folder, name), { force: true });
  }
}

/** What cannot be read (it is being written, or is not ours) is left to whoever made it. */
function isLeftOver(prepared: string): boolean {
  try {
    const owner = readRecord(prepared);
    return owner !== null && lifeOfProcess(owner) === 'dead';
  } catch {
    return false;
  }
}
