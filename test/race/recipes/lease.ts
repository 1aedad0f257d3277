/**
 * The usual lease of shell scripts, rebuilt to show its faults: a file with an end by the clock of who wrote it,
 * checked first and replaced afterwards, and a token that is read, added to and written.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '../halting.js';

export interface ScriptLease {
  readonly folder: string;
  readonly holder: string;
  readonly ttlS: number;
  /** The clock of its machine, in seconds of Unix time. */
  readonly clock: () => number;
}

interface Written {
  readonly holder: string;
  readonly token: number;
  readonly expires: number;
}

/** The token, or null when it is held. */
export function* acquireScriptLease(lease: ScriptLease): Program<number | null> {
  const now = lease.clock();
  const found = readLease(lease.folder);
  if (found && found.expires > now) return null;
  yield 'read token';
  const last = Number(textOf(path.join(lease.folder, 'job.token')) ?? 0);
  yield 'write token';
  writeFileSync(path.join(lease.folder, 'job.token'), String(last + 1));
  yield 'write lease';
  writeLease(lease, { holder: lease.holder, token: last + 1, expires: now + lease.ttlS });
  return last + 1;
}

/** False: it is somebody else's. */
export function* renewScriptLease(lease: ScriptLease, token: number): Program<boolean> {
  const found = readLease(lease.folder);
  if (found?.holder !== lease.holder || found.token !== token) return false;
  yield 'write lease';
  writeLease(lease, { holder: lease.holder, token, expires: lease.clock() + lease.ttlS });
  return true;
}

export function readLease(folder: string): Written | null {
  const text = textOf(path.join(folder, 'job.lease'));
  if (text === null) return null;
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { holder: value('holder'), token: Number(value('token')), expires: Number(value('expires')) };
}

function writeLease({ folder, holder }: ScriptLease, written: Written): void {
  const prepared = path.join(folder, `job.lease.tmp.${holder}`);
  writeFileSync(prepared, `holder=${written.holder}\ntoken=${written.token}\nexpires=${written.expires}\n`);
  renameSync(prepared, path.join(folder, 'job.lease'));
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
