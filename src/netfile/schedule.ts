/** When to look and when to write: one thing at a time, so that looking and writing never meet. */
import type { Millis } from '../core/words.js';
import type { Clock } from '../engine/ports.js';

type Work = () => Promise<unknown>;

export interface Schedule {
  /** A write that is due already stays as it is. */
  write(ms: number, work: Work): void;
  /** The write that is due is not needed any more. */
  cancelWrite(): void;
  /** Of two looks the earlier one counts. */
  look(ms: number, work: Work): void;
  /** As soon as nothing else is going on; not at all after the end. */
  now<T>(work: () => Promise<T>): Promise<T | null>;
  /** Ends early at the end. */
  pause(ms: number): Promise<void>;
  isClosed(): boolean;
  /** Resolves when what is going on is over; nothing begins any more. */
  close(): Promise<void>;
}

interface Timer {
  readonly due: Millis;
  readonly cancel: () => void;
}

export function createSchedule(clock: Clock): Schedule {
  let busy: Promise<unknown> = Promise.resolve();
  let writing: Timer | null = null;
  let looking: Timer | null = null;
  const pauses = new Set<() => void>();
  let isClosed = false;

  /** What fails here is a bug: nobody catches it, and the process ends as on any other. */
  function now<T>(work: () => Promise<T>): Promise<T | null> {
    const done = busy.then(async () => (isClosed ? null : await work()));
    busy = done.catch(() => undefined);
    return done;
  }

  function timer(ms: number, work: Work): Timer {
    return { due: clock.now() + ms, cancel: clock.after(ms, work) };
  }

  function write(ms: number, work: Work): void {
    if (writing || isClosed) return;
    writing = timer(ms, () => {
      writing = null;
      return now(work);
    });
  }

  function cancelWrite(): void {
    writing?.cancel();
    writing = null;
  }

  function look(ms: number, work: Work): void {
    if (isClosed || (looking && looking.due <= clock.now() + ms)) return;
    looking?.cancel();
    looking = timer(ms, () => {
      looking = null;
      return now(work);
    });
  }

  async function pause(ms: number): Promise<void> {
    if (isClosed) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      pauses.add(end);
    });
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelWrite();
    looking?.cancel();
    for (const end of pauses) end();
    await busy;
  }

  return { write, cancelWrite, look, now, pause, isClosed: () => isClosed, close };
}
