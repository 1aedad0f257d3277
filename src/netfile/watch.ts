/**
 * Tells when to look at the file again: by events of its folder, and by a timer that alone is enough. Events are only
 * a hint; what has happened shows in the content.
 */
import { type FSWatcher, statSync, watch as watchFolder } from 'node:fs';
import path from 'node:path';
import type { WatchReason } from '../core/words.js';
import type { Clock } from '../engine/ports.js';
import { networkFileSystem } from '../host/network.js';

/** How often the content is compared without any event. */
export const POLL_MS = 2000;

export type WatchMode = 'auto' | 'poll';

export interface WatchOptions {
  readonly file: string;
  readonly mode: WatchMode;
  readonly clock: Clock;
  /** Look now. */
  readonly onHint: () => void;
  /** How it is watched, at first and after every change. */
  readonly onMode: (mode: 'events' | 'polling', why: WatchReason) => void;
}

export interface Watch {
  close(): void;
}

export function startWatch({ file, mode, clock, onHint, onMode }: WatchOptions): Watch {
  const folder = path.dirname(file);
  const name = path.basename(file).normalize('NFC');
  let watcher: FSWatcher | null = null;
  let inode = inodeOf(folder);
  let isClosed = false;
  let cancelTimer = clock.after(POLL_MS, tick);

  const reason = reasonToPoll(folder, mode);
  if (reason) onMode('polling', reason);
  else setImmediate(openWatcher);

  function openWatcher(): void {
    if (isClosed) return;
    try {
      // The folder, not the file: a watch on the file keeps to the old one when it is replaced.
      watcher = watchFolder(folder, (_, found) => {
        if (found === null || found.normalize('NFC') === name) onHint();
      });
    } catch (error) {
      return fail(error);
    }
    watcher.on('error', fail);
    onMode('events', { kind: 'local' });
  }

  /** The limit of watches belongs to all programs of a user and is reported late, as an event. */
  function fail(error: unknown): void {
    closeWatcher();
    if (!isClosed)
      onMode('polling', { kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }

  function tick(): void {
    if (isClosed) return;
    onHint();
    const now = inodeOf(folder);
    // A folder that was renamed away, and is back or was made anew: the watch does not follow the name.
    if (now !== inode && now !== null && watcher) {
      closeWatcher();
      openWatcher();
    }
    inode = now;
    cancelTimer = clock.after(POLL_MS, tick);
  }

  function closeWatcher(): void {
    watcher?.close();
    watcher = null;
  }

  function close(): void {
    isClosed = true;
    cancelTimer();
    closeWatcher();
  }

  return { close };
}

function reasonToPoll(folder: string, mode: WatchMode): WatchReason | null {
  if (mode === 'poll') return { kind: 'asked' };
  const fileSystem = networkFileSystem(folder);
  return fileSystem ? { kind: 'network', fileSystem } : null;
}

function inodeOf(folder: string): number | null {
  try {
    return statSync(folder).ino;
  } catch {
    // Gone, or closed to us: whoever reads the file says so.
    return null;
  }
}
