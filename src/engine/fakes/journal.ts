/** A journal in memory: what was committed is what a crash would leave. */
import type { RecordedEvent } from '../../core/replay.js';
import type { Event, Millis } from '../../core/words.js';
import type { Journal } from '../ports.js';

export interface FakeJournal extends Journal {
  /** What a reader would find now. */
  readonly durable: readonly RecordedEvent[];
  /** Commits that begin from now on do not end before `letGo`. */
  hold(): void;
  letGo(): void;
  /** The next commit records nothing and rejects. */
  failNext(error: Error): void;
  /** Every commit until `mend` records nothing and rejects, as on a full disk. */
  refuse(error: Error): void;
  mend(): void;
}

/** @param look throws EpochLost when another controller has taken over */
export function createFakeJournal(look: () => void = () => {}): FakeJournal {
  const durable: RecordedEvent[] = [];
  let batch: RecordedEvent[] = [];
  let failure: Error | null = null;
  let refusal: Error | null = null;
  let gate = Promise.resolve();
  let openGate = () => {};

  function append(events: readonly Event[], at: Millis): void {
    for (const event of events) batch.push({ event, at });
  }

  async function commit(): Promise<void> {
    const failed = failure ?? refusal;
    failure = null;
    if (failed) throw failed;
    const written = batch;
    batch = [];
    await gate;
    durable.push(...written);
    look();
  }

  function hold(): void {
    gate = new Promise((resolve) => {
      openGate = resolve;
    });
  }

  return {
    durable,
    append,
    commit,
    close: async () => {},
    hold,
    letGo: () => openGate(),
    failNext: (error) => {
      failure = error;
    },
    refuse: (error) => {
      refusal = error;
    },
    mend: () => {
      refusal = null;
    },
  };
}
