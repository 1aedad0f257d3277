/** More crashes and tries than fence.test.ts has time for; every state that can be reached is seen here as well. */
import { test } from 'vitest';
import { expectToHold } from './expectations.js';
import { type FenceSetting, fenceWorld } from './fence-model.js';

const THREE: FenceSetting = { tokens: [1, 2, 3], crashes: 2, kept: 32, tries: 3 };

const SEEN = ['accepted', 'refused', 'written', 'again'];

test('three writers with three tokens, two crashes', () => {
  expectToHold(fenceWorld(THREE), SEEN);
});

test('three writers with three tokens, one crash, one entry kept', () => {
  expectToHold(fenceWorld({ ...THREE, crashes: 1, kept: 1 }), SEEN);
});

test('three writers, the lower token twice, one crash', () => {
  expectToHold(fenceWorld({ ...THREE, tokens: [1, 1, 2], crashes: 1 }), SEEN);
});

test('three writers, the higher token twice, one crash, two tries each', () => {
  expectToHold(fenceWorld({ ...THREE, tokens: [1, 2, 2], crashes: 1, tries: 2 }), SEEN);
});

test('two writers with the same token, one crash, one entry kept', () => {
  expectToHold(fenceWorld({ ...THREE, tokens: [1, 1], crashes: 1, kept: 1 }), SEEN);
});
