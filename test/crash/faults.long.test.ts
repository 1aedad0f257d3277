import { expect, test } from 'vitest';
import { type Faults, refuseEveryCall } from './faults.js';

const FAULTS: readonly Faults[] = [
  { code: 'EIO', forMs: 0, when: 'before' },
  { code: 'EIO', forMs: 0, when: 'after' },
  { code: 'EACCES', forMs: 0, when: 'before' },
  { code: 'EROFS', forMs: 1500, when: 'before' },
];

test.each(FAULTS)(
  'each call of a controller refused with $code for $forMs ms, $when it is done: the run ends normally without a restart',
  async (faults) => {
    const refused = await refuseEveryCall(faults, { step: 1 });
    console.log(`faults: ${refused} calls refused with ${faults.code}`);
    expect(refused).toBeGreaterThan(80);
  },
  600_000,
);
