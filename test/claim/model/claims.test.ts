/** Claims in every order of their operations, with a crash at any of them; every state that can be reached is seen. */
import { describe, test } from 'vitest';
import { type ClaimsSetting, claimsWorld } from './claims-model.js';
import { expectToBreak, expectToHold } from './expectations.js';
import { childReadBeforeDeath, noDecidingListing } from './mutants.js';

/** Less is kept than the code keeps: what holds with one number below the highest holds with more. */
const THREE: ClaimsSetting = {
  rounds: [1, 1, 1],
  crashes: 2,
  kept: 1,
  tidies: 'holding',
  hasCommand: false,
};

const SEEN = ['held', 'found', 'again', 'token 3'];
const OUTLIVED = 'a command has outlived its wrapper';

describe('at most one living holder, rising tokens, no live claim touched, and the dead are in nobody’s way', () => {
  test('three processes, two crashes, the holder tidies', () => {
    expectToHold(claimsWorld(THREE), SEEN);
  });

  test('three processes, two crashes, whoever has let go tidies', () => {
    expectToHold(claimsWorld({ ...THREE, tidies: 'released' }), SEEN);
  });

  test('three processes with commands that may outlive them, two crashes', () => {
    expectToHold(claimsWorld({ ...THREE, hasCommand: true }), [...SEEN, OUTLIVED]);
  });

  test('three processes with commands, two crashes, whoever has let go tidies', () => {
    const setting: ClaimsSetting = { ...THREE, hasCommand: true, tidies: 'released' };
    expectToHold(claimsWorld(setting), [...SEEN, OUTLIVED]);
  });

  test('three processes that want it twice each, one crash', () => {
    expectToHold(claimsWorld({ ...THREE, rounds: [2, 2, 2], crashes: 1 }), [...SEEN, 'token 6']);
  });
});

describe('the check finds what goes wrong without a rule', () => {
  test('no listing after the bid: a lower token after a higher one', () => {
    expectToBreak(claimsWorld({ ...THREE, mutant: noDecidingListing }), 'token 1 after token 2');
  });

  test('the record of the command read before the death is proven: two have the name', () => {
    const setting: ClaimsSetting = { ...THREE, hasCommand: true, mutant: childReadBeforeDeath };
    expectToBreak(claimsWorld(setting), 'two have the name');
  });
});
