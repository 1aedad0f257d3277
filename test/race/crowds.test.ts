/** Twenty contenders in four processes, ten rounds each, one process frozen in the middle of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contest, type Crowd, closeCrowd, contend, createCrowd, judge, type Log } from './crowd.js';

const SIZE = { each: 5, ttlMs: 1500 } as const;
const PROCESSES = 4;
const ROUNDS = 10;
/** Rounds side by side: they wait more than they work. */
const LANES = 2;

let crowds: Crowd[] = [];

beforeAll(() => {
  crowds = Array.from({ length: LANES }, () => createCrowd(PROCESSES));
});

afterAll(() => crowds.forEach(closeCrowd));

async function rounds(contest: Omit<Contest, keyof typeof SIZE>): Promise<Log[]> {
  const seed = Math.floor(Math.random() * 1e6);
  const lanes = crowds.map((crowd, lane) =>
    contend(crowd, { ...SIZE, ...contest }, ROUNDS / LANES, seed + lane * 1000),
  );
  return (await Promise.all(lanes)).flat();
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('LOC-01: a lock that twenty want', () => {
  test('is had by one at a time, while one is frozen between looking and acting', async () => {
    const logs = await rounds({ kind: 'lock', start: 'stale', freeze: 'link' });
    expect(logs.map(({ taken }) => taken)).toEqual(Array(ROUNDS).fill(20));
  });

  test('stays with a holder that is frozen', async () => {
    const logs = await rounds({ kind: 'lock', start: 'fresh', freeze: 'hold' });
    expect(logs.map(({ taken, lost }) => [taken, lost])).toEqual(Array(ROUNDS).fill([20, 0]));
  });
});

describe('LOC-07: a lease that twenty want', () => {
  test('is had by one at a time, while one is frozen between looking and acting', async () => {
    const logs = await rounds({ kind: 'lease', start: 'stale', freeze: 'link' });
    expect(logs.map(({ taken }) => taken > 0)).toEqual(Array(ROUNDS).fill(true));
  });

  test('goes from a holder that is frozen for longer than its time to live, who is told', async () => {
    const logs = await rounds({ kind: 'lease', start: 'fresh', freeze: 'hold' });
    expect(sum(logs.map(({ lost }) => lost))).toBeGreaterThanOrEqual(ROUNDS);
  });
});

describe('what is said against a crowd', () => {
  test.each([
    ['two who hold at once', '+ 1 10 Infinity\n+ 2 20 Infinity\n', 1],
    ['one who takes it while another may trust it', '+ 1 10 30\n+ 2 20 60\n', 1],
    ['one who goes on while another holds', '+ 1 10 20\n+ 2 30 60\n= 1 40 70\n', 1],
    ['a number that comes again', '+ 1 10 20\n- 1 15\n+ 1 30 40\n', 1],
    ['a claim that was changed', '+ 1 10 20\n! 1 15\n', 1],
    ['nothing, one after the other', '+ 1 10 Infinity\n- 1 15\n+ 2 20 Infinity\n- 2 30\n', 0],
    ['nothing, trust run out', '+ 1 10 20\n+ 3 30 60\nx 1 70\n', 0],
  ])('%s', (_, log, faults) => {
    expect(judge(log).faults).toHaveLength(faults);
  });
});
