/** jobnet.csv on disk: read again, merge our three cells of our rows, replace as a whole. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Columns, findColumns } from '../core/columns.js';
import { type CellChanges, isFault, parseTable, replaceCells, type Table } from '../core/csv.js';
import { normalName, trimCell } from '../core/names.js';
import type { Cells } from '../core/project.js';
import type { JobName, Millis } from '../core/words.js';
import type { Clock, NetFile } from '../engine/ports.js';
import { syncFolder } from '../host/durable.js';
import { localTime } from './localtime.js';
import { decodeText } from './read.js';

/** Writes are gathered: at most one in this time, or in this many times what the last one took. */
const GATHER_MS = 1000;
const GATHER_FACTOR = 10;
const GATHER_MS_MAX = 60_000;
/** A file that somebody changes under every one of so many merges is left alone until the next write. */
const MERGES_MAX = 10;
/** At the end a version that somebody is just saving gets this many tries, a gap apart. */
const FLUSH_TRIES = 4;

/** What keeps a version from being written. */
export type WriteTrouble =
  | { readonly kind: 'unreadable'; readonly code: string }
  | { readonly kind: 'unwritable'; readonly code: string }
  /** Somebody's version does not parse, or has lost its columns: it is not written over. */
  | { readonly kind: 'broken' };

export interface NetFileOptions {
  /** The real path, links resolved. */
  readonly file: string;
  /** Folder of this controller's temporary files, on the file system of `file`; exists. */
  readonly outFolder: string;
  readonly clock: Clock;
  /** Called when writing begins to fail and, with null, when it works again. */
  readonly onTrouble: (trouble: WriteTrouble | null) => void;
}

/** A version of the file with what is needed to change it. */
interface Version {
  readonly table: Table;
  readonly columns: Columns;
  /** Record index of each job. */
  readonly records: ReadonlyMap<JobName, number>;
}

export function createNetFile({ file, outFolder, clock, onTrouble }: NetFileOptions): NetFile {
  const dirty = new Map<JobName, Cells>();
  /** Cells of jobs without a row. Somebody may be just saving the file: the next version may have the row again. */
  const absent = new Map<JobName, Cells>();
  let known: Version | null = null;
  let writing: Promise<void> | null = null;
  let cancelTimer: (() => void) | null = null;
  let lastWriteAt: Millis | null = null;
  let gapMs = GATHER_MS;
  let isTroubled = false;

  function show(job: JobName, cells: Cells): void {
    dirty.set(job, cells);
    if (!writing && !cancelTimer) schedule();
  }

  function schedule(): void {
    // The clock of the machine may be set: the wait is never longer than the gap itself.
    const past = lastWriteAt === null ? gapMs : Math.max(0, clock.now() - lastWriteAt);
    cancelTimer = clock.after(Math.max(0, gapMs - past), () => {
      cancelTimer = null;
      void write();
    });
  }

  async function flush(): Promise<void> {
    let failures = 0;
    while (writing || dirty.size > 0) {
      await (writing ?? write());
      if (!isTroubled) failures = 0;
      else if (++failures === FLUSH_TRIES) break;
      else await new Promise<void>((resolve) => clock.after(gapMs, resolve));
    }
    stopTimer();
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  function write(): Promise<void> {
    writing ??= writeOnce().finally(() => {
      writing = null;
      if (dirty.size > 0 && !cancelTimer) schedule();
    });
    return writing;
  }

  async function writeOnce(): Promise<void> {
    const began = clock.now();
    const batch = new Map([...absent, ...dirty]);
    const trouble = await replaceFile(batch);
    if (trouble === null) settle(batch);
    if (trouble !== null && !isTroubled) onTrouble(trouble);
    if (trouble === null && isTroubled) onTrouble(null);
    isTroubled = trouble !== null;
    lastWriteAt = clock.now();
    gapMs = Math.min(Math.max(GATHER_MS, GATHER_FACTOR * (lastWriteAt - began)), GATHER_MS_MAX);
  }

  function settle(batch: ReadonlyMap<JobName, Cells>): void {
    for (const [job, cells] of batch) {
      if (dirty.get(job) === cells) dirty.delete(job);
      if (known?.records.has(job)) absent.delete(job);
      else absent.set(job, cells);
    }
  }

  async function replaceFile(batch: ReadonlyMap<JobName, Cells>): Promise<WriteTrouble | null> {
    for (let merges = 0; merges < MERGES_MAX; merges++) {
      let bytes: Buffer;
      let before: Fingerprint;
      try {
        before = await fingerprint(file);
        bytes = await readFile(file);
      } catch (error) {
        return { kind: 'unreadable', code: codeOf(error) };
      }
      const version = readVersion(bytes, known);
      if (!version) return { kind: 'broken' };
      known = version;
      const table = merge(version, batch);
      if (table.text === version.table.text) return null;
      try {
        if (!(await replace(table.text, before))) continue;
      } catch (error) {
        return { kind: 'unwritable', code: codeOf(error) };
      }
      known = { ...version, table };
      return null;
    }
    return { kind: 'unwritable', code: 'EBUSY' };
  }

  /** False: somebody has changed the file since it was read, and nothing was replaced. */
  async function replace(text: string, before: Fingerprint): Promise<boolean> {
    const temporary = path.join(outFolder, path.basename(file));
    try {
      await writeLike(before, temporary, text);
      if (!isSame(before, await fingerprint(file))) return false;
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    syncFolder(path.dirname(file));
    return true;
  }

  return { show, flush };
}

/** A durable file with the owner and the mode of another. */
async function writeLike({ mode, uid, gid }: Fingerprint, file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', mode & 0o7777);
  try {
    // Only where it differs: some file systems refuse even what changes nothing.
    const own = await handle.stat();
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode & 0o7777);
    await handle.writeFile(text, 'utf8');
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function readVersion(bytes: Buffer, known: Version | null): Version | null {
  const text = decodeText(bytes);
  if (text === null) return null;
  if (known && known.table.text === text) return known;
  const table = parseTable(text);
  if (isFault(table)) return null;
  const columns = findColumns(table.records[0] ?? [], []);
  if (columns.job < 0 || columns.status < 0) return null;
  const records = new Map<JobName, number>();
  table.records.forEach((cells, index) => {
    const name = normalName(cells[columns.job] ?? '');
    if (index > 0 && name !== '' && !records.has(name)) records.set(name, index);
  });
  return { table, columns, records };
}

function merge({ table, columns, records }: Version, batch: ReadonlyMap<JobName, Cells>): Table {
  const changes = new Map<number, CellChanges>();
  for (const [job, cells] of batch) {
    const record = records.get(job);
    if (record === undefined) continue;
    const values = new Map([[columns.status, cells.status as string]]);
    addTime(values, columns.stime, cells.startedAt);
    addTime(values, columns.etime, cells.endedAt);
    const current = table.records[record]!;
    for (const [column, value] of values) {
      if (trimCell(current[column] ?? '') === value) values.delete(column);
    }
    if (values.size > 0) changes.set(record, values);
  }
  return replaceCells(table, changes);
}

function addTime(values: Map<number, string>, column: number, at: number | null | undefined): void {
  if (column >= 0 && at !== undefined) values.set(column, at === null ? '' : localTime(at));
}

type Fingerprint = Awaited<ReturnType<typeof fingerprint>>;

async function fingerprint(file: string) {
  const { ino, size, mtimeNs, mode, uid, gid } = await stat(file, { bigint: true });
  return { ino, size, mtimeNs, mode: Number(mode), uid: Number(uid), gid: Number(gid) };
}

function isSame(a: Fingerprint, b: Fingerprint): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
