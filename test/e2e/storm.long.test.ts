/** Storms on the CSV of running nets: one for each seed, some at a time, as most of a storm is waiting. */
import { test } from 'vitest';
import { storm } from './storm.js';
import { checkStorm } from './storm-checks.js';

const SIZE = { jobs: 500, layers: 10, rewrites: 300 };
const SEEDS = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
  [9, 10, 11, 12],
  [13, 14, 15, 16],
  [17, 18, 19, 20],
];

test.each(SEEDS)(
  'every edit has its effect once, and nothing else has any: seeds %i %i %i %i',
  async (...seeds) => {
    const storms = await Promise.all(seeds.map((seed) => storm(seed, SIZE)));
    for (const one of storms) checkStorm(one);
  },
);
