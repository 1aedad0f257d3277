/** The journal after a sync that failed: another part, with everything since the last good sync. */
import type fs from 'node:fs';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DiskFault } from '../../src/engine/ports.js';
import { readLines } from '../../src/journal/lines.js';
import { readJournal } from '../../src/journal/replay.js';
import { openJournal } from '../../src/journal/writer.js';
import { refused, steerDisk } from './disk.js';
import { rerun } from './events.js';
import { createWriterRig } from './writer-rig.js';

vi.mock('node:fs', async (importOriginal) => {
  const { steered } = await import('./disk.js');
  return steered(await importOriginal<typeof fs>());
});

const linesOf = (folder: string, name: string) => readLines(readFileSync(path.join(folder, name))).lines;

/** `a` is durable, and the sync of `b` has failed. */
async function createFailedRig() {
  const rig = createWriterRig();
  rig.journal.append([rerun('a')], 0);
  await rig.journal.commit();
  const { tail } = readJournal(rig.folder);
  rig.journal.append([rerun('b')], 7);
  const disk = steerDisk();
  disk.syncs.push(refused('EIO'));
  await expect(rig.journal.commit()).rejects.toThrow(DiskFault);
  return { ...rig, disk, tail };
}

describe('a sync that fails', () => {
  test('is not followed by a look: there is nothing to act on', async () => {
    const { looks } = await createFailedRig();
    expect(looks()).toBe(1);
  });

  test('gives up its part: what follows is in the next one', async () => {
    const { journal, parts, folder } = await createFailedRig();
    journal.append([rerun('c')], 8);
    await journal.commit();
    expect(parts()).toEqual(['00000001.1.jsonl', '00000001.jsonl']);
    const events = linesOf(folder, '00000001.1.jsonl').slice(1);
    expect(events).toMatchObject([{ event: rerun('b') }, { event: rerun('c') }]);
  });

  test('is followed by a part that says how far the one before counts: to the last good sync', async () => {
    const { journal, folder, tail } = await createFailedRig();
    await journal.commit();
    expect(linesOf(folder, '00000001.1.jsonl')[0]).toMatchObject({
      seq: 3,
      at: 7,
      event: { type: 'seal', epoch: 1, part: 1, seal: tail },
    });
  });

  test('loses nothing, and nothing is there twice', async () => {
    const { journal, jobs } = await createFailedRig();
    journal.append([rerun('c')], 8);
    await journal.commit();
    journal.append([rerun('d')], 9);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('gives back the space ahead of the part that it gave up', async () => {
    const { folder } = await createFailedRig();
    expect(statSync(path.join(folder, '00000001.jsonl')).size).toBeLessThan(1000);
  });

  test('leaves what it had written: a successor that read it has sealed behind it', async () => {
    const { journal, folder } = await createFailedRig();
    const { tail, nextSeq } = readJournal(folder, 2);
    openJournal({ folder, epoch: 2, seal: tail, nextSeq, at: 0, look: () => {} });
    await journal.commit();
    expect(readJournal(folder).records.map(({ event }) => event)).toEqual([rerun('a'), rerun('b')]);
  });
});

describe('the next part', () => {
  test('is given up as well when the sync of its seal line fails, and counts for nothing', async () => {
    const { journal, jobs, parts, disk, folder, tail } = await createFailedRig();
    disk.syncs.push(refused('EIO'));
    await expect(journal.commit()).rejects.toThrow(DiskFault);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b']);
    expect(parts()).toEqual(['00000001.1.jsonl', '00000001.2.jsonl', '00000001.jsonl']);
    expect(linesOf(folder, '00000001.2.jsonl')[0]).toMatchObject({ event: { part: 2, seal: tail } });
  });

  test('is sealed in its turn when its seal line was durable and what followed was not', async () => {
    const { journal, jobs, disk, folder } = await createFailedRig();
    disk.syncs.push(null, refused('EIO'));
    await expect(journal.commit()).rejects.toThrow(DiskFault);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b']);
    expect(linesOf(folder, '00000001.2.jsonl')[0]).toMatchObject({ event: { seal: { epoch: 1, part: 1 } } });
  });

  test('is given up when its name cannot be made durable', async () => {
    const { journal, jobs, disk } = await createFailedRig();
    disk.folderSyncs.push(refused('EIO'));
    await expect(journal.commit()).rejects.toThrow(DiskFault);
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b']);
  });

  test('is tried again when it cannot be made', async () => {
    const { journal, jobs, disk } = await createFailedRig();
    disk.opens.push(refused('EROFS'), refused('EACCES'));
    await expect(journal.commit()).rejects.toThrow('EROFS');
    await expect(journal.commit()).rejects.toThrow('EACCES');
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b']);
  });

  test('goes on where it was when the disk is full at its seal line', async () => {
    const { journal, jobs, parts, disk } = await createFailedRig();
    disk.writes.push(null, (shorter) => {
      shorter(9);
      throw refused('ENOSPC');
    });
    await expect(journal.commit()).rejects.toThrow('ENOSPC');
    await journal.commit();
    expect(jobs()).toEqual(['a', 'b']);
    expect(parts()).toHaveLength(2);
  });

  test('can be followed by the next controller', async () => {
    const { journal, jobs, folder } = await createFailedRig();
    await journal.commit();
    await journal.close();
    const { tail, nextSeq } = readJournal(folder);
    const next = openJournal({ folder, epoch: 2, seal: tail, nextSeq, at: 0, look: () => {} });
    next.append([rerun('c')], 0);
    await next.commit();
    expect(jobs()).toEqual(['a', 'b', 'c']);
  });
});

type Fault = 'none' | 'write' | 'half' | 'sync';

test('a reader always finds what is durable, perhaps more of what was appended, and nothing else', async () => {
  const fault = fc.constantFrom<Fault>('none', 'none', 'write', 'half', 'sync');
  const round = fc.record({
    events: fc.integer({ min: 0, max: 3 }),
    faults: fc.array(fault, { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
      const { journal, jobs } = createWriterRig();
      const disk = steerDisk();
      const appended: string[] = [];
      let durable = 0;
      for (const { events, faults } of rounds) {
        for (let count = 0; count < events; count++) {
          appended.push(`j${appended.length}`);
          journal.append([rerun(appended.at(-1)!)], 0);
        }
        for (const one of faults) {
          if (one === 'sync') disk.syncs.push(refused('EIO'));
          else if (one === 'none') disk.syncs.push(null);
          else disk.writes.push(answerOf(one));
        }
        await journal.commit().then(
          () => (durable = appended.length),
          () => {},
        );
        const found = jobs();
        expect(appended.slice(0, found.length)).toEqual(found);
        expect(found.length).toBeGreaterThanOrEqual(durable);
      }
      disk.writes.length = 0;
      disk.syncs.length = 0;
      await journal.commit();
      expect(jobs()).toEqual(appended);
    }),
    { numRuns: 60 },
  );
});

const answerOf = (fault: Fault) => (shorter: (length: number) => number) => {
  if (fault === 'half') shorter(11);
  throw refused('ENOSPC');
};
