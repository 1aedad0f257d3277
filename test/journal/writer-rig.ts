/** A journal of epoch 1 in a folder of its own, and what a reader finds in it. */
import { readdirSync } from 'node:fs';
import { readJournal } from '../../src/journal/replay.js';
import { openJournal } from '../../src/journal/writer.js';
import { tempFolder } from '../contract/temp-folder.js';

export function createWriterRig() {
  const folder = tempFolder();
  let looks = 0;
  let refusal: Error | null = null;
  const look = () => {
    looks++;
    const error = refusal;
    refusal = null;
    if (error) throw error;
  };
  const journal = openJournal({ folder, epoch: 1, seal: null, nextSeq: 1, at: 0, look });
  looks = 0;
  return {
    folder,
    journal,
    /** The jobs that the records name, in their order. */
    jobs: () => readJournal(folder).records.map(({ event }) => 'job' in event && event.job),
    parts: () => readdirSync(folder).sort(),
    looks: () => looks,
    refuseLook: (error: Error) => {
      refusal = error;
    },
  };
}
