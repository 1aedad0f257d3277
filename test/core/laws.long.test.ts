/** The laws of the core over many more histories than a quick run has time for. */
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { cases } from './cases.js';
import { createTally, REAL_CORE, simulate } from './simulation.js';

const RUNS = 60_000;

describe('laws of the core, long', () => {
  const tally = createTally();
  let nets = 0;

  test.each([true, false])(`hold over ${RUNS} histories (failures allowed: %s)`, (mayFail) => {
    const law = fc.property(cases(mayFail), (one) => {
      nets++;
      simulate(one, REAL_CORE, tally);
    });
    fc.assert(law, { numRuns: RUNS });
  });

  afterAll(() => console.log(`laws, long: ${nets} nets, crashes ${tally.facts.get('crashes')}`));
});
