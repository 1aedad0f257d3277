/** A small storm on the CSV of a running net; the large ones are in storm.long.test.ts. */
import { test } from 'vitest';
import { storm } from './storm.js';
import { checkStorm } from './storm-checks.js';

test('STA-04, WAT-01, WAT-02 in a storm of saves every edit has its effect once, and nothing else has any', async () => {
  checkStorm(await storm(1, { jobs: 100, layers: 3, rewrites: 60 }));
});
