/** What can come of wanting a claim, as errors that a program can tell apart by `code`. */
import type { Standing } from './bid.js';

/** Somebody else holds it, or may: exit code 11 of the commands. */
export class ClaimHeld extends Error {
  readonly code = 'HELD';
  constructor(
    readonly claim: string,
    readonly folder: string,
    /** Who has it; a text: the holder in an old script's lease. */
    readonly found: Standing | string,
  ) {
    super(`${claim} is held (${folder})`);
  }
}

/** It was held and is no more: taken over, broken, or trust in it ran out: exit code 12 of the commands. */
export class ClaimLost extends Error {
  readonly code = 'LOST';
  constructor(
    readonly claim: string,
    readonly folder: string,
    readonly number: number,
  ) {
    super(`${claim} number ${number} is lost (${folder})`);
  }
}

/** A higher token has written: exit code 13 of the commands. */
export class FenceRefused extends Error {
  readonly code = 'FENCED';
  constructor(
    readonly target: string,
    readonly token: number,
    readonly highest: number,
  ) {
    super(`token ${token} may not write ${target}: ${highest} has written`);
  }
}

/** Somebody began it and died without an outcome: exit code 6 of the commands. */
export class OnceLost extends Error {
  readonly code = 'UNKNOWN';
  constructor(
    readonly claim: string,
    readonly folder: string,
    readonly key: string,
  ) {
    super(`nobody knows what became of ${claim} ${key} (${folder})`);
  }
}
