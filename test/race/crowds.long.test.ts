/** A hundred contenders, fifty rounds each; in each of them one process is frozen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contest, type Crowd, closeCrowd, contend, createCrowd, type Log } from './crowd.js';

/** Ten contenders share a process: two cores do not start a hundred processes of Node at once. */
const SIZE = { each: 10, ttlMs: 2000 } as const;
const PROCESSES = 10;
const CONTENDERS = PROCESSES * SIZE.each;
const ROUNDS = 50;
const FROZEN_HOLDERS = 10;
const LANES = 2;

let crowds: Crowd[] = [];

beforeAll(() => {
  crowds = Array.from({ length: LANES }, () => createCrowd(PROCESSES));
});

afterAll(() => crowds.forEach(closeCrowd));

async function rounds(contest: Omit<Contest, keyof typeof SIZE>, count = ROUNDS): Promise<Log[]> {
  const seed = Math.floor(Math.random() * 1e6);
  const lanes = crowds.map((crowd, lane) =>
    contend(crowd, { ...SIZE, ...contest }, count / LANES, seed + lane * 1000),
  );
  return (await Promise.all(lanes)).flat();
}

describe('LOC-01: a hundred who want one lock', () => {
  test.each(['fresh', 'stale'] as const)('%s: all have it, one at a time', async (start) => {
    const logs = await rounds({ kind: 'lock', start, freeze: 'link' });
    expect(logs.map(({ taken }) => taken)).toEqual(Array(ROUNDS).fill(CONTENDERS));
  });

  test('a holder that is frozen keeps it', async () => {
    const logs = await rounds({ kind: 'lock', start: 'stale', freeze: 'hold' }, FROZEN_HOLDERS);
    expect(logs.map(({ taken, lost }) => [taken, lost])).toEqual(Array(FROZEN_HOLDERS).fill([CONTENDERS, 0]));
  });
});

describe('LOC-07: a hundred who want one lease', () => {
  test('whose owner was killed: one at a time, one frozen for longer than the time to live', async () => {
    const logs = await rounds({ kind: 'lease', start: 'stale', freeze: 'link' });
    expect(logs.map(({ taken }) => taken > 0)).toEqual(Array(ROUNDS).fill(true));
  });

  test('a holder that is frozen for longer than the time to live loses it and is told', async () => {
    const logs = await rounds({ kind: 'lease', start: 'fresh', freeze: 'hold' }, FROZEN_HOLDERS);
    expect(logs.map(({ lost }) => lost > 0)).toEqual(Array(FROZEN_HOLDERS).fill(true));
  });
});
