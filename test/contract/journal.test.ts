import { describe, expect, test } from 'vitest';
import { createFakeJournal } from '../../src/engine/fakes/journal.js';
import { EpochLost } from '../../src/engine/ports.js';
import { readJournal } from '../../src/journal/replay.js';
import { openJournal } from '../../src/journal/writer.js';
import { journalContract } from './journal.js';
import { tempFolder } from './temp-folder.js';

/** The own epoch is 1. */
function createEpoch() {
  let highest = 1;
  return {
    lose: () => {
      highest = 2;
    },
    look: () => {
      if (highest > 1) throw new EpochLost(1, highest);
    },
  };
}

journalContract('on disk', () => {
  const folder = tempFolder();
  const epoch = createEpoch();
  const journal = openJournal({ folder, epoch: 1, seal: null, nextSeq: 1, at: 0, look: epoch.look });
  return { journal, recorded: () => readJournal(folder).records, loseEpoch: epoch.lose };
});

journalContract('the fake', () => {
  const epoch = createEpoch();
  const journal = createFakeJournal(epoch.look);
  return { journal, recorded: () => journal.durable, loseEpoch: epoch.lose };
});

describe('the fake journal', () => {
  test('records nothing while it is held', async () => {
    const journal = createFakeJournal();
    journal.hold();
    journal.append([{ type: 'rerun', job: 'a' }], 1);
    const committed = journal.commit();
    expect(journal.durable).toEqual([]);
    journal.letGo();
    await committed;
  });

  test('records what was held when it is let go', async () => {
    const journal = createFakeJournal();
    journal.hold();
    journal.append([{ type: 'rerun', job: 'a' }], 1);
    const committed = journal.commit();
    journal.letGo();
    await committed;
    expect(journal.durable).toHaveLength(1);
  });

  test('fails the next commit, and records its events in the one after', async () => {
    const journal = createFakeJournal();
    journal.failNext(new Error('no space'));
    journal.append([{ type: 'rerun', job: 'a' }], 1);
    await expect(journal.commit()).rejects.toThrow('no space');
    await journal.commit();
    expect(journal.durable).toHaveLength(1);
  });
});
