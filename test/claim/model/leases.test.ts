/**
 * Leases in every order of their operations, with time that passes between any two of them and a crash at any. All
 * states within the bounds are seen: numbers up to the one that is stated, and nobody creates a higher one.
 */
import { describe, test } from 'vitest';
import { expectToBreak, expectToHold } from './expectations.js';
import { leasesWorld } from './leases-model.js';
import type { LeasesSetting } from './leases-setting.js';
import {
  heldRuleMissing,
  listBeforeSecondLook,
  noDecidingListing,
  noListingAfterBeat,
  noSecondLook,
} from './mutants.js';

const TWO: LeasesSetting = {
  kind: 'time',
  ttls: [2, 2],
  crashes: 1,
  numbersMax: 3,
  releases: false,
  givesUp: false,
  comesBack: false,
  isHeld: false,
};

/** A holder and two that want it. */
const THREE: LeasesSetting = { ...TWO, ttls: [2, 2, 2], isHeld: true };

const SEEN = ['held', 'watching', 'again', 'beaten', 'lost', 'bidden'];

describe('at most one believes to have it, tokens rise, and the dead are in nobody’s way for longer than a time to live', () => {
  test('two processes, one crash, numbers to 3', () => {
    expectToHold(leasesWorld(TWO), [...SEEN, 'token 3']);
  });

  test('two processes with a time to live of three ticks, one crash, numbers to 3', () => {
    expectToHold(leasesWorld({ ...TWO, ttls: [3, 3] }), [...SEEN, 'token 3']);
  });

  test('two processes that let go, give up and come back, one crash, numbers to 2', () => {
    const setting = { ...TWO, releases: true, givesUp: true, comesBack: true, numbersMax: 2 };
    expectToHold(leasesWorld(setting), [...SEEN, 'token 2']);
  });

  test('a holder and two others, one crash, numbers to 2', () => {
    expectToHold(leasesWorld({ ...THREE, numbersMax: 2 }), [...SEEN, 'token 2']);
  });
});

describe('the check finds what goes wrong without a rule', () => {
  test('no second look at the beat: two believe', () => {
    expectToBreak(leasesWorld({ ...TWO, isHeld: true, mutant: noSecondLook }), 'two believe');
  });

  test('no listing after the own beat: two believe', () => {
    expectToBreak(leasesWorld({ ...TWO, isHeld: true, mutant: noListingAfterBeat }), 'two believe');
  });

  // With two processes a bid is as old as its time to live before anybody is above it.
  test('no listing after the bid: a lower token after a higher one', () => {
    expectToBreak(leasesWorld({ ...THREE, crashes: 0, mutant: noDecidingListing }), 'token 2 after token 3');
  });

  test('the listing before the second look: a lower token after a higher one', () => {
    expectToBreak(
      leasesWorld({ ...THREE, crashes: 0, mutant: listBeforeSecondLook }),
      'token 2 after token 3',
    );
  });

  test('the death of a claim that never held gives a right to take over: two believe', () => {
    expectToBreak(leasesWorld({ ...THREE, kind: 'both', mutant: heldRuleMissing }), 'two believe');
  });
});
