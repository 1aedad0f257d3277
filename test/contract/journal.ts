/** What every journal keeps: record, then look. */
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/core/replay.js';
import type { Event } from '../../src/core/words.js';
import { EpochLost, type Journal } from '../../src/engine/ports.js';

export interface JournalRig {
  readonly journal: Journal;
  /** What a reader finds after a crash now. */
  recorded(): readonly RecordedEvent[];
  /** Another controller takes over. */
  loseEpoch(): void;
}

const rerun = (job: string): Event => ({ type: 'rerun', job });
const recordOf = (job: string, at: number): RecordedEvent => ({ at, event: rerun(job) });

export function journalContract(name: string, createRig: () => JournalRig): void {
  describe(`a journal: ${name}`, () => {
    test('has recorded what was appended when a commit has ended, in order and with its times', async () => {
      const { journal, recorded } = createRig();
      journal.append([rerun('a'), rerun('b')], 10);
      journal.append([rerun('c')], 20);
      await journal.commit();
      expect(recorded()).toEqual([recordOf('a', 10), recordOf('b', 10), recordOf('c', 20)]);
    });

    test('has recorded nothing before a commit', () => {
      const { journal, recorded } = createRig();
      journal.append([rerun('a')], 10);
      expect(recorded()).toEqual([]);
    });

    test('keeps what is appended while a commit is going for the next one', async () => {
      const { journal, recorded } = createRig();
      journal.append([rerun('a')], 10);
      const first = journal.commit();
      journal.append([rerun('b')], 20);
      await first;
      expect(recorded()).toEqual([recordOf('a', 10)]);
    });

    test('records in the next commit what was appended while one was going', async () => {
      const { journal, recorded } = createRig();
      journal.append([rerun('a')], 10);
      const first = journal.commit();
      journal.append([rerun('b')], 20);
      await first;
      await journal.commit();
      expect(recorded()).toEqual([recordOf('a', 10), recordOf('b', 20)]);
    });

    test('rejects a commit after another controller has taken over', async () => {
      const { journal, loseEpoch } = createRig();
      loseEpoch();
      journal.append([rerun('a')], 10);
      await expect(journal.commit()).rejects.toThrow(EpochLost);
    });

    test('looks although there is nothing to record', async () => {
      const { journal, loseEpoch } = createRig();
      loseEpoch();
      await expect(journal.commit()).rejects.toThrow(EpochLost);
    });

    test('looks after it has recorded, not before', async () => {
      const { journal, recorded, loseEpoch } = createRig();
      loseEpoch();
      journal.append([rerun('a')], 10);
      await journal.commit().catch(() => {});
      expect(recorded()).toEqual([recordOf('a', 10)]);
    });

    test('looks at every commit', async () => {
      const { journal, loseEpoch } = createRig();
      await journal.commit();
      loseEpoch();
      await expect(journal.commit()).rejects.toThrow(EpochLost);
    });

    test('keeps its records when it is closed', async () => {
      const { journal, recorded } = createRig();
      journal.append([rerun('a')], 10);
      await journal.commit();
      await journal.close();
      expect(recorded()).toEqual([recordOf('a', 10)]);
    });
  });
}
