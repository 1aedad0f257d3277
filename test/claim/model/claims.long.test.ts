/** More rounds than claims.test.ts has time for; every state that can be reached is seen here as well. */
import { test } from 'vitest';
import { claimsWorld } from './claims-model.js';
import { expectToHold } from './expectations.js';

const SEEN = ['held', 'found', 'again', 'token 4'];

test('three processes with commands that want it twice each, two crashes', () => {
  const setting = { rounds: [2, 2, 2], crashes: 2, kept: 1, tidies: 'holding', hasCommand: true } as const;
  expectToHold(claimsWorld(setting), [...SEEN, 'token 6', 'a command has outlived its wrapper']);
});

test('three processes, one of them wants it twice, one crash, whoever has let go tidies', () => {
  const setting = { rounds: [1, 1, 2], crashes: 1, kept: 1, tidies: 'released', hasCommand: false } as const;
  expectToHold(claimsWorld(setting), SEEN);
});
