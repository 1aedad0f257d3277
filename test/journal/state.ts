/** State folders with runs, made for tests. */
import path from 'node:path';
import { noCounts } from '../../src/core/state.js';
import type { RunEnd } from '../../src/core/words.js';
import { FORMAT } from '../../src/journal/lines.js';
import {
  createRun,
  type RunFolder,
  type RunRecord,
  type RunSummary,
  runId,
  writeSummary,
} from '../../src/journal/runs.js';
import { type StateFolder, stateFolderOf } from '../../src/journal/statefolder.js';

export function stateIn(folder: string): StateFolder {
  return stateFolderOf(path.join(folder, 'jobnet.csv'), null);
}

export function recordOf(startedAt: number, epoch: number): RunRecord {
  return {
    format: FORMAT,
    run: runId(startedAt, epoch),
    epoch,
    startedAt,
    file: '/srv/net/jobnet.csv',
    folder: '/srv/net',
    user: 'operator',
    path: '/usr/bin:/bin',
    locale: 'ja_JP.UTF-8',
    shell: '/bin/sh',
    version: '0.1.0',
  };
}

export function summaryOf(startedAt: number, epoch: number, state: RunEnd): RunSummary {
  const counts = { ...noCounts(), ended: 1 };
  return {
    format: FORMAT,
    run: runId(startedAt, epoch),
    state,
    startedAt,
    endedAt: startedAt + 1000,
    counts,
  };
}

/** A run that is over, or goes on when `end` is null. */
export function runOf(state: StateFolder, startedAt: number, epoch: number, end: RunEnd | null): RunFolder {
  const run = createRun(state, recordOf(startedAt, epoch));
  if (end) writeSummary(run, summaryOf(startedAt, epoch, end));
  return run;
}
