import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEnd } from '../../src/core/words.js';
import { expiredRuns, KEPT_DAYS, KEPT_RUNS, removeExpiredRuns } from '../../src/journal/retention.js';
import { listRuns } from '../../src/journal/runs.js';
import { tempFolder } from '../contract/temp-folder.js';
import { runOf, stateIn } from './state.js';

const DAY = 24 * 60 * 60 * 1000;
const NOW = new Date(2026, 10, 30, 12, 0, 0).getTime();
const OLD = NOW - (KEPT_DAYS + 10) * DAY;

/** Runs of the epochs 1, 2 … that ended as given, all old; then as many newer ones as are always kept. */
function stateWith(...ends: (RunEnd | null)[]) {
  const state = stateIn(tempFolder());
  for (const [index, end] of ends.entries()) runOf(state, OLD + index, index + 1, end);
  for (let kept = 0; kept < KEPT_RUNS; kept++) runOf(state, OLD + 1000 + kept, 100 + kept, 'ended');
  return state;
}

const expired = (state: ReturnType<typeof stateIn>, now = NOW) =>
  expiredRuns(state, now).map(({ epoch }) => epoch);

describe('a run goes', () => {
  test('when it is old and not among the newest', () => {
    expect(expired(stateWith('ended', 'stopped', 'abandoned'))).toEqual([3, 2, 1]);
  });

  test('as a whole folder', () => {
    const state = stateWith('ended');
    const [run] = removeExpiredRuns(state, NOW);
    expect([existsSync(run!.path), listRuns(state).length]).toEqual([false, KEPT_RUNS]);
  });

  test('when it failed, but a later one failed as well', () => {
    expect(expired(stateWith('abended', 'abended', 'ended'))).toEqual([3, 1]);
  });
});

describe('a run stays', () => {
  test('while it is among the newest, however old it is', () => {
    expect(expired(stateWith(), NOW + 1000 * DAY)).toEqual([]);
  });

  test('while it is young, however many came after it', () => {
    const state = stateIn(tempFolder());
    const young = NOW - (KEPT_DAYS - 1) * DAY;
    for (let epoch = 1; epoch <= KEPT_RUNS + 5; epoch++) runOf(state, young + epoch, epoch, 'ended');
    expect(expired(state)).toEqual([]);
  });

  test('on its last day, and goes on the next', () => {
    const state = stateWith('ended');
    const limit = OLD + KEPT_DAYS * DAY;
    expect([expired(state, limit), expired(state, limit + 1)]).toEqual([[], [1]]);
  });

  test('when it is the last that failed', () => {
    expect(expired(stateWith('ended', 'abended', 'ended'))).toEqual([3, 1]);
  });

  test('while it is not over', () => {
    expect(expired(stateWith(null, 'ended'))).toEqual([2]);
  });

  test('when its summary cannot be read', () => {
    const state = stateWith('ended');
    writeFileSync(path.join(listRuns(state).at(-1)!.path, 'summary.json'), '{');
    expect(expired(state)).toEqual([]);
  });
});

describe('removing', () => {
  test('leaves runs of a newer format where they are, without failing', () => {
    const state = stateWith('ended');
    const newer = path.join(state.runs, '2020-01', '20200101-000000-1');
    mkdirSync(newer, { recursive: true });
    writeFileSync(path.join(newer, 'run.json'), '{"format":2}');
    expect(removeExpiredRuns(state, NOW).map(({ path: own }) => own)).not.toContain(newer);
  });
});
