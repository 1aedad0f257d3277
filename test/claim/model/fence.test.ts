/** Fenced writes in every order of their operations, with a crash at any; every state that can be reached is seen. */
import { describe, test } from 'vitest';
import { expectToBreak, expectToHold } from './expectations.js';
import { type FenceSetting, fenceWorld } from './fence-model.js';
import {
  entryBeforeContent,
  fenceNotMissed,
  noDecidingListing,
  nothingRevoked,
  preparedBeforeContent,
  sameContentFile,
} from './mutants.js';

const TWO: FenceSetting = { tokens: [1, 2], crashes: 1, kept: 32, tries: 3 };

const SEEN = ['accepted', 'refused', 'written', 'again'];

describe('the target and its fence never go back, success is what is there or what came later, nothing is left behind', () => {
  test('two writers, one crash, one entry kept', () => {
    expectToHold(fenceWorld({ ...TWO, kept: 1 }), SEEN);
  });

  test('two writers with the same token, one crash', () => {
    expectToHold(fenceWorld({ ...TWO, tokens: [1, 1] }), SEEN);
  });

  test('three writers with three tokens, no crash', () => {
    expectToHold(fenceWorld({ ...TWO, tokens: [1, 2, 3], crashes: 0 }), SEEN);
  });

  test('three writers, two of them with the same token, no crash, one try each', () => {
    expectToHold(fenceWorld({ ...TWO, tokens: [1, 1, 2], crashes: 0, tries: 1 }), SEEN);
  });
});

describe('the check finds what goes wrong without a rule', () => {
  test('no listing after the entry: the fence goes back', () => {
    expectToBreak(fenceWorld({ ...TWO, mutant: noDecidingListing }), 'the fence goes back');
  });

  test('nothing revoked: the fence goes back', () => {
    expectToBreak(fenceWorld({ ...TWO, crashes: 0, mutant: nothingRevoked }), 'the fence goes back');
  });

  test('the same content file for the next try: success, and the content is lost', () => {
    const setting: FenceSetting = { ...TWO, tokens: [1, 1], mutant: sameContentFile };
    expectToBreak(fenceWorld(setting), 'the content is lost');
  });

  test('an entry taken away before the files that it leads to: the fence goes back', () => {
    const setting: FenceSetting = { ...TWO, tokens: [1, 2, 3], mutant: entryBeforeContent };
    expectToBreak(fenceWorld(setting), 'the fence goes back');
  });

  // Who tidies an entry has taken its files away before it was accepted; only what the dead prepared is left.
  test('a prepared entry tidied before the files that it leads to: they stay for ever', () => {
    expectToBreak(fenceWorld({ ...TWO, mutant: preparedBeforeContent }), 'nothing leads to');
  });

  test('content shown although the fence was taken away: the target is ahead of its fence', () => {
    expectToBreak(fenceWorld({ ...TWO, crashes: 0, mutant: fenceNotMissed }), 'ahead of its fence');
  });
});
