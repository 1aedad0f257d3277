/** Commits that are made again while the disk refuses: until one of them succeeds, nothing of the batch is durable. */
import type { Millis } from '../core/words.js';
import { type Clock, DiskFault, type Journal } from './ports.js';

/** The wait before a refused commit is made again; it doubles up to the second. */
export const COMMIT_RETRY_MS: Millis = 1000;
export const COMMIT_RETRY_MS_MAX: Millis = 5000;

export interface RecorderOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Told of each kind of fault once, and with null once when it is over. */
  readonly onFault: (fault: DiskFault | null) => void;
}

export interface Recorder {
  /**
   * Resolves when everything appended so far is durable, whether at once or after a fault.
   * @throws EpochLost, and what is no fault of the disk
   */
  commit(): Promise<'at-once' | 'after-fault'>;
  /** Nothing can be recorded at the moment, so nothing is to be started. */
  isFaulty(): boolean;
}

export function createRecorder({ journal, clock, onFault }: RecorderOptions): Recorder {
  /** Codes that were told of. */
  const told = new Set<string>();

  async function commit(): Promise<'at-once' | 'after-fault'> {
    for (let waitMs = COMMIT_RETRY_MS; ; waitMs = Math.min(2 * waitMs, COMMIT_RETRY_MS_MAX)) {
      const fault = await tried();
      if (!fault) break;
      if (!told.has(fault.code)) onFault(fault);
      told.add(fault.code);
      await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    }
    if (told.size === 0) return 'at-once';
    told.clear();
    onFault(null);
    return 'after-fault';
  }

  async function tried(): Promise<DiskFault | null> {
    try {
      await journal.commit();
      return null;
    } catch (error) {
      if (error instanceof DiskFault) return error;
      throw error;
    }
  }

  return { commit, isFaulty: () => told.size > 0 };
}
