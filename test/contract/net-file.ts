/** What every net file keeps: the cells shown are in the rows, and nothing else changes. */
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import type { NetFile } from '../../src/engine/ports.js';

/** status, stime and etime of a row as a reader sees them. */
export type Row = readonly [status: string, stime: string, etime: string];

export interface NetFileRig {
  readonly netFile: NetFile;
  row(job: string): Row | undefined;
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
      const { netFile, row } = createRig();
      netFile.show('a', ENDED);
      await netFile.flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('leaves other rows alone', async () => {
      const { netFile, row } = createRig();
      netFile.show('a', ENDED);
      await netFile.flush();
      expect(row('b')).toEqual(['9', '', '']);
    });

    test('keeps the last of several cells shown', async () => {
      const { netFile, row } = createRig();
      netFile.show('a', RUNNING);
      netFile.show('a', ENDED);
      await netFile.flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });

    test('blanks times that are null', async () => {
      const { netFile, row } = createRig();
      netFile.show('a', ENDED);
      await netFile.flush();
      netFile.show('a', { status: '9', startedAt: null, endedAt: null });
      await netFile.flush();
      expect(row('a')).toEqual(['9', '', '']);
    });

    test('leaves times that are not named as they are', async () => {
      const { netFile, row } = createRig();
      netFile.show('a', ENDED);
      await netFile.flush();
      netFile.show('a', { status: '1', startedAt: undefined, endedAt: undefined });
      await netFile.flush();
      expect(row('a')).toEqual(['1', NOON_TEXT, LATER_TEXT]);
    });

    test('skips a job that has no row', async () => {
      const { netFile, row } = createRig();
      netFile.show('gone', ENDED);
      netFile.show('b', ENDED);
      await netFile.flush();
      expect([row('gone'), row('b')?.[0]]).toEqual([undefined, '0']);
    });

    test('flushes at once when nothing was shown', async () => {
      const { netFile, row } = createRig();
      await netFile.flush();
      expect(row('a')).toEqual(['9', '', '']);
    });

    test('can be shown to while a flush is going', async () => {
      const { netFile, row } = createRig();
      netFile.show('a', RUNNING);
      const first = netFile.flush();
      netFile.show('a', ENDED);
      await first;
      await netFile.flush();
      expect(row('a')).toEqual(['0', NOON_TEXT, LATER_TEXT]);
    });
  });
}
