/** What launchers wrote: `KIND CODE JOB.ATTEMPT`, each line whole or not there at all. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** R ready, S claimed and about to start, E ended, X the log exists, N not started, F could not fork. */
export type RecordKind = 'R' | 'S' | 'E' | 'X' | 'N' | 'F';

export interface LauncherRecord {
  readonly kind: RecordKind;
  /** The exit code of E, the pid of R and S. */
  readonly code: number | null;
  /** JOB.ATTEMPT; empty for R. */
  readonly id: string;
}

const RECORD = /^([RSEXNF]) (\d+|-) (.*)$/;

/** One line without its line end; null when it does not fit the form. */
export function parseRecord(line: string): LauncherRecord | null {
  const match = RECORD.exec(line);
  if (!match) return null;
  const code = match[2] === '-' ? null : Number(match[2]);
  return { kind: match[1] as RecordKind, code, id: match[3]! };
}

/** Whole records in the text of a records file, which is filled with spaces behind the last one. */
export function parseRecords(text: string): LauncherRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parseRecord(line) ?? []);
}

/** Bytes of the records file of a launcher; written with spaces beforehand, so that a full disk loses no record. */
export const RECORDS_BYTES = 64 * 1024;

/** What a launcher of this run has written about one attempt. */
export interface Mention {
  readonly launcher: string;
  readonly record: LauncherRecord;
  /** Last write to the file: the time of its last record. */
  readonly writtenAt: number;
}

/** Records of all launchers of a run, by JOB.ATTEMPT. */
export function readMentions(exits: string): Map<string, Mention[]> {
  const mentions = new Map<string, Mention[]>();
  for (const launcher of readdirSync(exits)) {
    if (!/^\d+-\d+$/.test(launcher)) continue;
    const file = path.join(exits, launcher);
    const writtenAt = Math.round(statSync(file).mtimeMs);
    for (const record of parseRecords(readFileSync(file, 'utf8'))) {
      if (record.id === '') continue;
      const own = mentions.get(record.id);
      if (own) own.push({ launcher, record, writtenAt });
      else mentions.set(record.id, [{ launcher, record, writtenAt }]);
    }
  }
  return mentions;
}
