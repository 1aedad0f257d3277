/** Where the files of an attempt are. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { JobName } from '../core/words.js';

/**
 * Two hex digits, from the name alone: the exclusive creation of a log guards an attempt only if every controller
 * computes the same path.
 */
export function shardOf(job: JobName): string {
  return createHash('sha256').update(job, 'utf8').digest('hex').slice(0, 2);
}

export function attemptsFolder(runFolder: string): string {
  return path.join(runFolder, 'attempts');
}

/** The log of an attempt. Its exclusive creation is the claim of the attempt, so it is never removed by itself. */
export function logPath(runFolder: string, job: JobName, attempt: number): string {
  return path.join(attemptsFolder(runFolder), shardOf(job), `${job}.${attempt}.log`);
}

/** A command that cannot travel in a line to a launcher: it has a line break, or is long. */
export function commandPath(runFolder: string, job: JobName, attempt: number): string {
  return path.join(attemptsFolder(runFolder), shardOf(job), `${job}.${attempt}.sh`);
}

export function exitsFolder(runFolder: string): string {
  return path.join(runFolder, 'exits');
}
