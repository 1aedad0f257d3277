/** A hundred starts at once of a job that is done once a day, as often as there is time for. */
import { describe, expect, test } from 'vitest';
import { createClaimsBench } from './claims-bench.js';

const STARTS = 100;
/** A start of Node costs a tenth of a second of one core: a round takes some ten seconds on two. */
const ROUNDS = 10;

describe(`${STARTS} starts at once`, () => {
  test(`run it once, ${ROUNDS} times`, async () => {
    const bench = createClaimsBench();
    for (let round = 0; round < ROUNDS; round++) {
      const args = ['once', 'publish', '--key', `day${round}`, '--', 'sh', '-c', `echo ran >>ran${round}`];
      const ends = await Promise.all(Array.from({ length: STARTS }, () => bench.run(args)));
      const others = ends.filter(({ code }) => code !== 0 && code !== 11).map(({ err }) => err);
      expect([round, bench.read(`ran${round}`), others]).toEqual([round, 'ran\n', []]);
    }
  });
});
