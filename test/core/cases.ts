/** Random nets and histories. */
import fc from 'fast-check';
import type { Case } from './simulation.js';

const JOBS_MAX = 12;

const predecessors = fc
  .integer({ min: 1, max: JOBS_MAX })
  .chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, index) =>
        index === 0
          ? fc.constant<number[]>([])
          : fc.uniqueArray(fc.integer({ min: 0, max: index - 1 }), { maxLength: Math.min(index, 3) }),
      ),
    ),
  );

/** Histories that broke a law once. */
export const BROKE_ONCE: readonly Case[] = [
  // A row that came back was in the file, and its event was lost in a crash: its abend held nothing back.
  {
    predecessors: [[], [], [], [], [], []],
    limit: 3,
    keepGoing: false,
    mayFail: true,
    choices: [6, 793, 996, 3, 0, 0, 610, 788, 0, 895],
  },
  // An intent that came to nothing let the next attempt start before its launch was durable.
  {
    predecessors: [[], [], [], []],
    limit: 1,
    keepGoing: false,
    mayFail: true,
    choices: [31, 1, 266, 0, 276, 2, 8],
  },
  // A number that was recorded ahead and withdrawn was used again.
  {
    predecessors: [[], [], [], [], [], [], [], [], []],
    limit: 2,
    keepGoing: false,
    mayFail: true,
    choices: [0, 107, 736, 146, 74, 770],
  },
];

export function cases(mayFail: boolean): fc.Arbitrary<Case> {
  return fc.record({
    predecessors,
    limit: fc.integer({ min: 1, max: 4 }),
    keepGoing: fc.boolean(),
    mayFail: fc.constant(mayFail),
    choices: fc.array(fc.nat(1000), { minLength: 1, maxLength: 120 }),
  });
}
