/** What every net file keeps: the cells shown are in the rows, nothing else changes, and others' versions are offered. */
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import type { NetFile, Version, VersionAnswer } from '../../src/engine/ports.js';

/** status, stime and etime of a row as a reader sees them. */
export type Row = readonly [status: string, stime: string, etime: string];

export interface NetFileRig {
  readonly netFile: NetFile;
  row(job: string): Row | undefined;
  /** Somebody saves the file with a further row; resolves when it has been looked at. */
  addRow(job: string): Promise<void>;
  /** A flush with the time that it needs. */
  flush(): Promise<boolean>;
  /** What was asked for has been done. */
  settled(): Promise<void>;
}

/** Noon and one minute later, in the zone of the machine. */
export const NOON = new Date(2026, 10, 30, 12, 0, 0).getTime();
export const NOON_TEXT = '2026/11/30 12:00:00';
export const LATER = NOON + 60_000;
export const LATER_TEXT = '2026/11/30 12:01:00';

export const RUNNING: Cells = { status: '2', startedAt: NOON, endedAt: null };
export const ENDED: Cells = { status: '0', startedAt: NOON, endedAt: LATER };

/** @param createRig a file with the jobs a and b, not run, without times */
export function netFileContract(name: string, createRig: () => NetFileRig): void {
  describe(`a net file: ${name}`, () => {
    test('has the cells shown when a flush has ended', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', ENDED);
      await flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('leaves other rows alone', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', ENDED);
      await flush();
      expect(row('b')).toEqual(['9', '', '']);
    });

    test('keeps the last of several cells shown', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', RUNNING);
      netFile.show('a', ENDED);
      await flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('blanks times that are null', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', ENDED);
      await flush();
      netFile.show('a', { status: '9', startedAt: null, endedAt: null });
      await flush();
      expect(row('a')).toEqual(['9', '', '']);
    });

    test('leaves times that are not named as they are', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', ENDED);
      await flush();
      netFile.show('a', { status: '1', startedAt: undefined, endedAt: undefined });
      await flush();
      expect(row('a')).toEqual(['1', NOON_TEXT, LATER_TEXT]);
    });

    test('skips a job that has no row', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('gone', ENDED);
      netFile.show('b', ENDED);
      await flush();
      expect([row('gone'), row('b')?.[0]]).toEqual([undefined, '0']);
    });

    test('flushes at once when nothing was shown', async () => {
      const { row, flush } = createRig();
      await flush();
      expect(row('a')).toEqual(['9', '', '']);
    });

    test('can be shown to while a flush is going', async () => {
      const { netFile, row, flush } = createRig();
      netFile.show('a', RUNNING);
      const first = flush();
      netFile.show('a', ENDED);
      await first;
      await flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('says that a flush has put everything into the file', async () => {
      const { netFile, flush } = createRig();
      netFile.show('a', ENDED);
      expect(await flush()).toBe(true);
    });

    test('offers a version that somebody saves, once, with what it changes', async () => {
      const rig = createRig();
      const versions = listenTo(rig.netFile, 'taken');
      await rig.addRow('c');
      await rig.settled();
      expect(versions.map(({ net, edits }) => [net.names, edits.added, edits.removed])).toEqual([
        [['a', 'b', 'c'], ['c'], []],
      ]);
    });

    test('writes rows of a version that was taken', async () => {
      const rig = createRig();
      listenTo(rig.netFile, 'taken');
      await rig.addRow('c');
      rig.netFile.show('c', ENDED);
      await rig.flush();
      expect(rig.row('c')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('writes nothing over a version that is held, and says so', async () => {
      const rig = createRig();
      listenTo(rig.netFile, 'held');
      await rig.addRow('c');
      rig.netFile.show('a', ENDED);
      expect([await rig.flush(), rig.row('a')]).toEqual([false, ['9', '', '']]);
    });

    test('offers what is held once more when a person accepts it', async () => {
      const rig = createRig();
      const versions = listenTo(rig.netFile, 'held');
      await rig.addRow('c');
      rig.netFile.acceptHeld();
      await rig.settled();
      expect(versions.map(({ isAccepted, edits }) => [isAccepted, edits.added])).toEqual([
        [false, ['c']],
        [true, ['c']],
      ]);
    });

    test('writes what was shown meanwhile when that is accepted', async () => {
      const rig = createRig();
      listenTo(rig.netFile, 'held');
      await rig.addRow('c');
      rig.netFile.show('a', ENDED);
      rig.netFile.acceptHeld();
      await rig.settled();
      expect([await rig.flush(), rig.row('a')]).toEqual([true, ['0', NOON_TEXT, LATER_TEXT]]);
    });

    test('offers nothing when nothing is held', async () => {
      const rig = createRig();
      const versions = listenTo(rig.netFile, 'taken');
      rig.netFile.acceptHeld();
      await rig.settled();
      expect(versions).toEqual([]);
    });

    test('writes beside a version that comes when the run is over', async () => {
      const rig = createRig();
      listenTo(rig.netFile, 'late');
      await rig.addRow('c');
      rig.netFile.show('a', ENDED);
      await rig.flush();
      expect([rig.row('a')?.[0], rig.row('c')?.[0]]).toEqual(['0', '9']);
    });
  });
}

/** Versions are answered as said; accepted ones are taken. */
function listenTo(netFile: NetFile, answer: VersionAnswer): Version[] {
  const versions: Version[] = [];
  netFile.listen({
    version: (version) => {
      versions.push(version);
      return version.isAccepted ? 'taken' : answer;
    },
    event: () => {},
    cells: () => null,
  });
  return versions;
}
