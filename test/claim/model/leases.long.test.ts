/** More than leases.test.ts has time for; all states within the bounds are seen here as well. */
import { test } from 'vitest';
import { expectToBreak, expectToHold } from './expectations.js';
import { leasesWorld } from './leases-model.js';
import type { LeasesSetting } from './leases-setting.js';
import { lowerTimesIgnored } from './mutants.js';

const TWO: LeasesSetting = {
  kind: 'time',
  ttls: [2, 2],
  crashes: 1,
  numbersMax: 3,
  releases: true,
  givesUp: true,
  comesBack: true,
  isHeld: false,
};

const THREE: LeasesSetting = {
  ...TWO,
  ttls: [2, 2, 2],
  releases: false,
  givesUp: false,
  comesBack: false,
};

const SEEN = ['held', 'watching', 'again', 'beaten', 'lost', 'bidden', 'token 3'];

test('two processes that let go, give up and come back, one crash, numbers to 3', () => {
  expectToHold(leasesWorld(TWO), SEEN);
});

test('two processes that let go, give up and come back, one crash, numbers to 3, death proves', () => {
  expectToHold(leasesWorld({ ...TWO, kind: 'both' }), SEEN);
});

test('three processes, one crash, numbers to 3', () => {
  expectToHold(leasesWorld(THREE), SEEN);
});

test('a holder and two others that let go and give up, one crash, numbers to 3, death proves', () => {
  const setting: LeasesSetting = { ...THREE, kind: 'both', isHeld: true, releases: true, givesUp: true };
  expectToHold(leasesWorld(setting), SEEN);
});

test('a holder and two others who tidy all but one number, no crash, numbers to 3', () => {
  expectToHold(leasesWorld({ ...THREE, isHeld: true, crashes: 0, kept: 1 }), SEEN);
});

test('a holder whose time to live is longer than that of the two others, one crash, numbers to 3', () => {
  expectToHold(leasesWorld({ ...THREE, isHeld: true, ttls: [3, 2, 2] }), SEEN);
});

test('without a look at longer times to live below the highest claim: two believe', () => {
  const setting: LeasesSetting = { ...THREE, isHeld: true, ttls: [3, 2, 2], crashes: 0 };
  expectToBreak(leasesWorld({ ...setting, mutant: lowerTimesIgnored }), 'two believe');
});
