/** The journal on disk: a part, appended and synced in batches; another part after a sync that failed. */
import path from 'node:path';
import type { RecordedEvent } from '../core/replay.js';
import type { Event, Millis } from '../core/words.js';
import { DiskFault, type Journal } from '../engine/ports.js';
import { hasCode, syncFolder } from '../host/durable.js';
import { isPassing } from '../host/refusals.js';
import { encodeLine, FORMAT, type Seal } from './lines.js';
import { createPart, type Part } from './part.js';
import { partName } from './replay.js';

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
  /** Null: a sync of it has failed, and the next one is not opened yet. */
  let part: Part | null = createPart(path.join(folder, partName(epoch, 0)));
  let number = 0;
  let isSealed = false;
  /** How far the journal is durable, and the number of the next line. */
  let durable = seal;
  let seq = nextSeq;
  /** What is not durable yet. Encoded when it is written: another part begins with a line of its own. */
  let waiting: RecordedEvent[] = [];

  function append(events: readonly Event[], time: Millis): void {
    for (const event of events) waiting.push({ at: time, event });
  }

  async function commit(): Promise<void> {
    try {
      if (waiting.length > 0) await record();
      look();
    } catch (error) {
      // The folder may be closed to us for a while as well; it is asked for another part only.
      if (isPassing(error) || hasCode(error, 'EACCES')) throw new DiskFault(error);
      throw error;
    }
  }

  async function record(): Promise<void> {
    if (!part) {
      // A number is not used twice, whatever became of its file.
      part = createPart(path.join(folder, partName(epoch, ++number)));
      isSealed = false;
    }
    const open = part;
    if (!isSealed) await sealNext(open);
    const count = waiting.length;
    open.write(linesOf(waiting));
    await orGiveUp(open, open.sync);
    seq += count;
    durable = { epoch, part: number, bytes: open.end };
    waiting = waiting.slice(count);
  }

  /** Lines go behind a seal line that is durable, with its name: else a power cut could leave them without it. */
  async function sealNext(open: Part): Promise<void> {
    open.write(sealLine(waiting[0]!.at));
    await orGiveUp(open, open.sync);
    await orGiveUp(open, async () => syncFolder(folder));
    sealed(open);
  }

  function sealed(open: Part): void {
    isSealed = true;
    seq++;
    durable = { epoch, part: number, bytes: open.end };
  }

  /** After a failed sync the system may have dropped what was written: a later one that succeeds proves nothing. */
  async function orGiveUp(open: Part, sync: () => Promise<void>): Promise<void> {
    try {
      await sync();
    } catch (error) {
      open.close();
      part = null;
      throw error;
    }
  }

  function sealLine(time: Millis): string {
    const event = { type: 'seal', format: FORMAT, epoch, part: number, seal: durable } as const;
    return encodeLine(seq, time, event, { beginsBatch: true });
  }

  function linesOf(records: readonly RecordedEvent[]): string {
    const lines = records.map((one, index) =>
      encodeLine(seq + index, one.at, one.event, { beginsBatch: index === 0 }),
    );
    return lines.join('');
  }

  part.write(sealLine(at));
  part.syncNow();
  syncFolder(folder);
  sealed(part);
  look();
  return { append, commit, close: async () => part?.close() };
}
