/**
 * NAME.lease and NAME.token of old lease scripts, beside our claims: honoured and mirrored as well as their recipe
 * allows. It checks and writes apart, so during one of its heartbeats both may hold. Source: docs/protocols.md.
 */
import path from 'node:path';
import type { ClaimRecord } from './record.js';
import { ask, type Steps } from './steps.js';

export interface SeedLease {
  readonly holder: string;
  readonly token: number;
  /** Milliseconds of Unix time; the file has seconds. */
  readonly expires: number;
}

/** Clocks of hosts differ; theirs decides in the old recipe. */
const MARGIN_MS = 2000;
const OURS = 'jobnet:';

/** How our claims are called in the file that old scripts compare. */
export function seedHolder({ host, pid, id }: ClaimRecord): string {
  return `${OURS}${host}-${pid}-${id.slice(0, 8)}`;
}

export interface SeedPlace {
  readonly folder: string;
  readonly name: string;
}

/** Of an old script that holds now: our own are judged by their claims. */
export function* foreignLease(place: SeedPlace, unix: number): Steps<SeedLease | null> {
  const lease = yield* readLease(place);
  if (!lease || lease.holder.startsWith(OURS)) return null;
  return lease.expires + MARGIN_MS > unix ? lease : null;
}

/** The highest token that old scripts have given out; 0: none. */
export function* highestSeedToken(place: SeedPlace): Steps<number> {
  const token = parseToken(yield* ask('read', fileOf(place, 'token')));
  return Math.max(token, (yield* readLease(place))?.token ?? 0);
}

/** Writes token and lease as the old recipe does; false: an old script came in between. */
export function* mirrorAcquired(place: SeedPlace, mirror: SeedLease, unix: number): Steps<boolean> {
  yield* replace(place, 'token', `${mirror.token}\n`);
  if (yield* foreignLease(place, unix)) return false;
  return yield* mirrorRenewed(place, mirror);
}

/** Writes the lease; false: an old script has written one meanwhile. */
export function* mirrorRenewed(place: SeedPlace, mirror: SeedLease): Steps<boolean> {
  const { holder, token, expires } = mirror;
  const text = `holder=${holder}\ntoken=${token}\nexpires=${Math.ceil(expires / 1000)}\n`;
  yield* replace(place, 'lease', text);
  return yield* isNoScripts(place);
}

/** No old script has written the lease: one of ours that was late says nothing, the claims do. */
export function* isNoScripts(place: SeedPlace): Steps<boolean> {
  const lease = yield* readLease(place);
  return lease === null || lease.holder.startsWith(OURS);
}

/** Nobody else has written the lease since. A file that is gone is nobody's. */
export function* isOurs(place: SeedPlace, holder: string): Steps<boolean> {
  const lease = yield* readLease(place);
  return lease === null || lease.holder === holder;
}

function* readLease(place: SeedPlace): Steps<SeedLease | null> {
  const text = yield* ask('read', fileOf(place, 'lease'));
  if (text === null) return null;
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  return {
    holder: value('holder'),
    token: parseToken(value('token')),
    expires: parseToken(value('expires')) * 1000,
  };
}

/** Strictly: what is no number counts as none. */
function parseToken(text: string | null): number {
  return /^\s*\d{1,12}\s*$/.test(text ?? '') ? Number(text) : 0;
}

function* replace(place: SeedPlace, kind: 'lease' | 'token', text: string): Steps<void> {
  const file = fileOf(place, kind);
  const prepared = `${file}.tmp.${yield* ask('fresh')}`;
  yield* ask('write', prepared, text);
  yield* ask('rename', prepared, file);
}

function fileOf({ folder, name }: SeedPlace, kind: 'lease' | 'token'): string {
  return path.join(folder, `${name}.${kind}`);
}
