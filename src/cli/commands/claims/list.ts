/** `jobnet lock list` and `jobnet lease list`: every name in a folder of claims, who holds it, and whether that one lives. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Standing } from '../../../claim/bid.js';
import { lookAt } from '../../../claim/claim.js';
import { DISK } from '../../../claim/disk.js';
import { parseBeat, ttlOf } from '../../../claim/lease-steps.js';
import { readDone } from '../../../claim/once.js';
import { type ClaimRecord, DamagedClaim, numberName, parseRecord } from '../../../claim/record.js';
import { namesIn } from '../../../host/durable.js';
import { localTime } from '../../../netfile/localtime.js';
import type { Context } from '../../context.js';
import { EXIT } from '../../exit-codes.js';
import { table } from '../../view/text.js';
import { visible } from '../../view/visible.js';
import { answering } from './answers.js';

type Kind = 'lock' | 'once' | 'lease';

interface Listed {
  readonly name: string;
  readonly key: string | null;
  readonly kind: Kind;
  readonly number: number;
  readonly state: string;
  readonly host: string | null;
  readonly pid: number | null;
  readonly since: string | null;
  readonly folder: string;
}

export async function claimsList(
  context: Context,
  folder: string,
  only: Kind | null,
  options: { json: boolean },
): Promise<number> {
  const m = context.m.claims;
  return await answering(context, folder, async () => {
    const names = namesIn(folder).filter(
      (name) => name.endsWith('.d') && existsSync(path.join(folder, name, '.')),
    );
    const listed = names.sort().flatMap((name) => look(path.join(folder, name)) ?? []);
    const shown = listed.filter(({ kind }) => only === null || kind === only);
    if (options.json) context.out(JSON.stringify(shown));
    else if (shown.length === 0) context.out(visible(m.noClaims(folder)));
    else for (const line of table([m.heads, ...shown.map((one) => rowOf(context, one))])) context.out(line);
    return EXIT.settled;
  });
}

function rowOf({ m }: Context, { name, key, kind, number, state, host, pid, since }: Listed): string[] {
  const states: Readonly<Record<string, string>> = m.claims.states;
  return [
    visible(key === null ? name : `${name} ${key}`),
    m.claims.kinds[kind],
    String(number),
    states[state] ?? state,
    pid === null ? '' : visible(`${pid} (${host})`),
    since === null ? '' : localTime(Date.parse(since)),
  ];
}

/** Null for a folder without a claim in it, and for that of a fence. */
function look(folder: string): Listed | null {
  const [, name = '', encoded] = /^(.*?)(?:@(.*))?\.d$/s.exec(path.basename(folder))!;
  const key = encoded === undefined ? null : decoded(encoded);
  let found: Standing;
  try {
    found = lookAt(folder);
  } catch (error) {
    if (!(error instanceof DamagedClaim)) throw error;
    if (name.endsWith('.fence')) return null;
    const nobody = { number: 0, host: null, pid: null, since: null };
    return { name, key, kind: key === null ? 'lock' : 'once', state: 'damaged', folder, ...nobody };
  }
  if (found.kind === 'none') return null;
  const owner = found.kind === 'released' ? ownerOf(folder, found.number) : found.owner;
  return {
    name,
    key,
    kind: key !== null ? 'once' : owner && owner.kind !== 'process' ? 'lease' : 'lock',
    number: found.number,
    state: stateOf(found, folder, key !== null),
    host: owner?.host ?? null,
    pid: owner?.pid ?? null,
    since: owner ? new Date(owner.claimedAt).toISOString() : null,
    folder,
  };
}

function ownerOf(folder: string, number: number): ClaimRecord | null {
  const file = path.join(folder, numberName(number));
  const text = DISK.read(file);
  return text === null ? null : parseRecord(text, file);
}

function stateOf(found: Exclude<Standing, { kind: 'none' }>, folder: string, isKey: boolean): string {
  if (found.kind === 'released') return 'released';
  if (found.kind === 'done') return readDone(folder, found.number)?.code === 0 ? 'done' : 'failed';
  if (found.owner.ttlMs !== null && !isFresh(folder, found)) return 'expired';
  switch (found.life) {
    case 'dead':
      if (found.owner.kind === 'time') return 'held';
      return isKey ? 'lost' : 'dead';
    case 'frozen':
      return 'stopped';
    case 'unknown':
      return 'unknown';
    case 'alive':
      return found.by === 'command' ? 'command' : 'held';
  }
}

/** By the clock of whoever renewed it: for people. */
function isFresh(folder: string, { owner, number }: Extract<Standing, { kind: 'held' }>): boolean {
  const beat = DISK.read(path.join(folder, numberName(number, 'beat')));
  const at = parseBeat(beat)?.at ?? owner.claimedAt;
  return Date.now() < at + ttlOf(owner, beat);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
