/** Every law notices the bug that was planted for it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../cases.js';
import { createTally, simulate, Violation } from '../simulation.js';
import { MUTANTS, type Mutant } from './mutants.js';

const RUNS = 2000;
const SEED = 20261130;

describe('planted bugs', () => {
  test.each(MUTANTS)('$bug: noticed by the law "$law"', (mutant) => {
    expect(noticedBy(mutant)).toBe(mutant.law);
  });
});

/** The law, when it notices; a bug that makes `apply` throw is noticed as impossible. */
function noticedBy(mutant: Mutant): string | null {
  let law: string | null = null;
  const check = fc.check(
    fc.property(cases(true), (one) => {
      try {
        simulate(one, mutant.core(), createTally(), mutant.law);
        return true;
      } catch (error) {
        if (error instanceof Violation) law = error.law;
        else if (error instanceof Error && error.message.startsWith('impossible:')) law = 'impossible';
        else throw error;
        return false;
      }
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  return check.failed ? law : null;
}
