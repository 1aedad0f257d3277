/** What must always hold, on random nets and random histories. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { TRANSITIONS } from '../../src/core/transitions.js';
import { BROKE_ONCE, cases } from './cases.js';
import { createTally, hasDiamond, REAL_CORE, simulate } from './simulation.js';

const RUNS = 2000;

describe('laws of the core', () => {
  const tally = createTally();
  let diamonds = 0;
  let nets = 0;

  test(`hold over ${RUNS} histories in which anything may fail`, () => {
    fc.assert(
      fc.property(cases(true), (one) => {
        nets++;
        if (hasDiamond(one.predecessors)) diamonds++;
        simulate(one, REAL_CORE, tally);
      }),
      { numRuns: RUNS },
    );
  });

  test(`hold over ${RUNS} histories in which nothing fails: every net ends`, () => {
    fc.assert(
      fc.property(cases(false), (one) => {
        nets++;
        if (hasDiamond(one.predecessors)) diamonds++;
        simulate(one, REAL_CORE, tally);
      }),
      { numRuns: RUNS },
    );
  });

  test.each(BROKE_ONCE)('hold where one was broken once: %j', (one) => {
    simulate(one, REAL_CORE, tally);
  });

  test('were tried on every cell of the transition table', () => {
    const possible = Object.entries(TRANSITIONS).flatMap(([status, row]) =>
      Object.entries(row).flatMap(([event, next]) => (next === null ? [] : [`${status} ${event}`])),
    );
    expect(possible.filter((cell) => !tally.cells.has(cell))).toEqual([]);
  });

  test('were tried on diamonds, abends, crashes, full slots and every way to close', () => {
    expect(diamonds).toBeGreaterThan(RUNS / 10);
    for (const fact of ['abends', 'crashes', 'limit reached', 'launches after an abend']) {
      expect(tally.facts.get(fact) ?? 0, fact).toBeGreaterThan(100);
    }
    for (const end of ['ended', 'abended', 'stopped']) {
      expect(tally.facts.get(`closed ${end}`) ?? 0, end).toBeGreaterThan(20);
    }
  });

  afterAll(() => {
    const count = (map: ReadonlyMap<string, number>) =>
      [...map].map(([name, times]) => `${name} ${times}`).join(', ');
    console.log(
      `laws: ${nets} nets, ${diamonds} with diamonds; ${count(tally.facts)}; cells: ${count(tally.cells)}`,
    );
  });
});
