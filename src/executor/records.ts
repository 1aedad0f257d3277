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

export interface Mentions {
  readonly byAttempt: ReadonlyMap<string, readonly Mention[]>;
  /** The last record of each launcher. */
  readonly last: ReadonlyMap<string, RecordKind>;
}

/** A file that was written less than this before it was read may be written again without another time. */
const SETTLED_MS = 1000;

/** Reads the records of all launchers of a run, again and again: a file that has not changed is not read twice. */
export function createMentionReader(exits: string): () => Mentions {
  const known = new Map<
    string,
    { readonly writtenAt: number; readonly records: readonly LauncherRecord[] }
  >();

  function recordsOf(launcher: string) {
    const file = path.join(exits, launcher);
    const writtenAt = Math.round(statSync(file).mtimeMs);
    const before = known.get(launcher);
    if (before?.writtenAt === writtenAt) return before;
    const read = { writtenAt, records: parseRecords(readFileSync(file, 'utf8')) };
    if (Math.abs(Date.now() - writtenAt) > SETTLED_MS) known.set(launcher, read);
    return read;
  }

  return () => {
    const byAttempt = new Map<string, Mention[]>();
    const last = new Map<string, RecordKind>();
    for (const launcher of readdirSync(exits)) {
      if (!/^\d+-\d+$/.test(launcher)) continue;
      const { writtenAt, records } = recordsOf(launcher);
      for (const record of records) {
        last.set(launcher, record.kind);
        if (record.id === '') continue;
        const own = byAttempt.get(record.id);
        if (own) own.push({ launcher, record, writtenAt });
        else byAttempt.set(record.id, [{ launcher, record, writtenAt }]);
      }
    }
    return { byAttempt, last };
  };
}
