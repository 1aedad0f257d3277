/** Where claims are, and how the folders of names are called. */

import { homedir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../host/durable.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder of claims: as given, else JOBNET_LOCK_DIR, else ~/.local/state/jobnet/claims. Never the folder for
 * temporary files: cleaners remove claims from there.
 */
export function claimsFolder(given: string | undefined, environment: Environment): string {
  return path.resolve(given || environment['JOBNET_LOCK_DIR'] || ownFolder());
}

/** The folder of leases: LEASE_DIR of old scripts comes before ours. */
export function leasesFolder(given: string | undefined, environment: Environment): string {
  return path.resolve(given || environment['LEASE_DIR'] || environment['JOBNET_LOCK_DIR'] || ownFolder());
}

function ownFolder(): string {
  return path.join(homedir(), '.local', 'state', 'jobnet', 'claims');
}

/** Makes the folder of claims; ours is for its user alone, one that was chosen as the system's mask says. */
export function makeClaimsFolder(folder: string): void {
  makeFolder(folder, folder === ownFolder() ? 0o700 : 0o777);
}

/** @throws WrongName */
export function nameFolder(folder: string, name: string): string {
  checkName(name);
  return path.join(folder, `${name}.d`);
}

/** The folder of one key of a name. */
export function keyFolder(folder: string, name: string, key: string): string {
  checkName(name);
  if (key === '' || /\p{Surrogate}/u.test(key)) throw new WrongName(key);
  const encoded = encodeURIComponent(key);
  if (encoded.length > NAME_BYTES_MAX) throw new WrongName(key);
  return path.join(folder, `${name}@${encoded}.d`);
}

const NAME_BYTES_MAX = 100;

/** A name of a claim that would be no name of a file. */
export class WrongName extends Error {
  constructor(readonly given: string) {
    super(`not a name for a claim: ${given}`);
  }
}

function checkName(name: string): void {
  const isGood =
    name !== '' &&
    !name.startsWith('.') &&
    !name.startsWith('-') &&
    !/[/@\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) &&
    name === name.trim() &&
    Buffer.byteLength(name) <= NAME_BYTES_MAX;
  if (!isGood) throw new WrongName(name);
}
