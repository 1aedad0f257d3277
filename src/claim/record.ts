/** What a claim's files hold, and their names. */
import type { ProcessIdentity } from '../host/identity.js';

/** What a claim file holds; it appears with its whole content and is never rewritten. */
export interface ClaimRecord extends ProcessIdentity {
  readonly format: 1;
  /**
   * `process`: held while its process or its command lives. `time`: held while it beats, whatever became of the
   * process. `both`: over when the process and its command are proven dead, or when it has stopped beating.
   */
  readonly kind: 'process' | 'time' | 'both';
  /** Tells "is it me?" when the reply to a `link` was lost. */
  readonly id: string;
  /** Milliseconds of Unix time; for people. */
  readonly claimedAt: number;
  /** Milliseconds for which a beat counts; null for kind `process`. */
  readonly ttlMs: number | null;
  /** Where its holder listens to operators; null: nowhere. */
  readonly socket: string | null;
}

/** The end of what was to be done once. */
export interface DoneRecord {
  readonly code: number | null;
  readonly signal: string | null;
  /** Milliseconds of Unix time. */
  readonly endedAt: number;
}

/** One beat: a text that was never used before. Its time is for people and for whether watching is worth it. */
export interface BeatRecord {
  readonly counter: number;
  readonly id: string;
  /** Milliseconds of Unix time. */
  readonly at: number;
  readonly ttlMs: number;
}

/** A claim that a person took away, or a key that was freed. */
export interface ReleaseRecord {
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** Numbers are names of exactly eight digits; with a suffix they are companions of a number. */
export const NUMBER = /^\d{8}$/;

export type Companion = 'beat' | 'held' | 'child' | 'released' | 'done';

export function numberName(number: number, companion?: Companion): string {
  const name = String(number).padStart(8, '0');
  return companion ? `${name}.${companion}` : name;
}

/** The file of a claim does not hold what a claim holds: nobody can judge it, a person must. */
export class DamagedClaim extends Error {
  constructor(readonly file: string) {
    super(`not a claim: ${file}`);
  }
}

export function parseRecord(text: string, file: string): ClaimRecord {
  const record = parseObject(text) as Partial<ClaimRecord> | null;
  const isWhole =
    record?.format === 1 &&
    typeof record.pid === 'number' &&
    Number.isInteger(record.pid) &&
    record.pid > 0 &&
    [record.host, record.bootId, record.startTime, record.id].every((value) => typeof value === 'string');
  if (!isWhole) throw new DamagedClaim(file);
  return record as ClaimRecord;
}

/** Null for anything but one JSON object. */
export function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
