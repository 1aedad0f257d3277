/** The journal on disk: one part, appended and synced in batches, in space that was written ahead. */
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Event, Millis } from '../core/words.js';
import type { Journal } from '../engine/ports.js';
import { syncFolder, writeAll } from '../host/durable.js';
import { encodeLine, FORMAT, type Seal, type SealLine } from './lines.js';
import { partName } from './replay.js';

/**
 * Space is filled with NULs ahead, so that a sync changes no metadata of the file (3 to 60 % faster in rate);
 * a reader cuts a NUL tail.
 */
const STEP_BYTES = 256 * 1024;

export interface JournalOptions {
  /** Folder of the parts; exists. */
  readonly folder: string;
  readonly epoch: number;
  /** How far the journal before counts; null in a new run. */
  readonly seal: Seal | null;
  readonly nextSeq: number;
  readonly at: Millis;
  /** Throws EpochLost when a higher epoch exists; called after each sync. */
  readonly look: () => void;
}

/** Opens a new part; its seal line is durable when this returns. */
export function openJournal({ folder, epoch, seal, nextSeq, at, look }: JournalOptions): Journal {
  const fd = openSync(path.join(folder, partName(epoch, 0)), 'wx', 0o644);
  const syncData = promisify(fdatasync);
  let batch: string[] = [];
  let seq = nextSeq;
  let end = 0;
  let allocated = 0;
  let syncFailure: Error | null = null;

  function writeBatch(): void {
    const bytes = Buffer.from(batch.join(''), 'utf8');
    if (end + bytes.length > allocated) {
      const step = Math.ceil((end + bytes.length - allocated) / STEP_BYTES) * STEP_BYTES;
      writeAll(fd, Buffer.alloc(step), allocated);
      allocated += step;
    }
    writeAll(fd, bytes, end);
    end += bytes.length;
    // Only now: after a failed write the same lines are tried again, at the same place.
    batch = [];
  }

  function add(event: Event | SealLine, time: Millis): void {
    batch.push(encodeLine(seq++, time, event, { beginsBatch: batch.length === 0 }));
  }

  function append(events: readonly Event[], time: Millis): void {
    for (const event of events) add(event, time);
  }

  async function commit(): Promise<void> {
    if (syncFailure) throw syncFailure;
    if (batch.length > 0) {
      writeBatch();
      await syncData(fd).catch((error) => {
        // The system may have dropped the pages: a later sync that succeeds would prove nothing.
        syncFailure = error;
        throw error;
      });
    }
    look();
  }

  async function close(): Promise<void> {
    // Whole lines only: what a person or jq reads needs no knowledge of the space ahead.
    ftruncateSync(fd, end);
    fsyncSync(fd);
    closeSync(fd);
  }

  add({ type: 'seal', format: FORMAT, epoch, part: 0, seal }, at);
  writeBatch();
  fsyncSync(fd);
  syncFolder(folder);
  look();
  return { append, commit, close };
}
