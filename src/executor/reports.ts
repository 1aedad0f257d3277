/** What jobs report of themselves: a file beside the log, replaced as a whole, so that the last one wins. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JobName } from '../core/words.js';
import { attemptsFolder, shardOf } from './attempts.js';

function reportPath(runFolder: string, job: JobName, attempt: number): string {
  return path.join(attemptsFolder(runFolder), shardOf(job), `${job}.${attempt}.report`);
}

export function writeReport(runFolder: string, job: JobName, attempt: number, status: '0' | '1'): void {
  const file = reportPath(runFolder, job, attempt);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${status}\n`);
  renameSync(temporary, file);
}

/** What the job said last; null: nothing. Asked at every end of a job, so the usual answer must be cheap. */
export function readReport(runFolder: string, job: JobName, attempt: number): '0' | '1' | null {
  const file = reportPath(runFolder, job, attempt);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8').trim();
  return text === '0' || text === '1' ? text : null;
}
