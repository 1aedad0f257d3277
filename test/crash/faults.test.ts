/** Every twelfth of the calls with which a controller changes its folder; faults.long.test.ts takes each of them. */
import { expect, test } from 'vitest';
import { type Faults, refuseEveryCall } from './faults.js';

const FAULTS: readonly [string, Faults][] = [
  ['that the system refuses once', { code: 'EIO', forMs: 0, when: 'before' }],
  ['that is done and said to have failed', { code: 'EIO', forMs: 0, when: 'after' }],
  ['that is refused with all that follow for a while', { code: 'ENOSPC', forMs: 1500, when: 'before' }],
];

test.each(FAULTS)(
  'a call %s: the run ends normally without a restart, CSV, journal and status agree',
  async (_, faults) => {
    const refused = await refuseEveryCall(faults, { step: 12 });
    console.log(`faults: ${refused} calls refused`);
    expect(refused).toBeGreaterThan(6);
  },
  300_000,
);
