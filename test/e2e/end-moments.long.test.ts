import { test } from 'vitest';
import { random } from '../random.js';
import { checkAgreement, endedAt, MOMENTS } from './end-moments.js';

const seed = Number(process.env['MOMENT_SEED'] ?? Date.now() % 1_000_000);

test(`STA-11: with TERM round the end of the last job, 200 times, seed ${seed}, everything agrees`, async () => {
  const next = random(seed);
  const moments = Object.keys(MOMENTS);
  for (let time = 0; time < 200; time++) {
    const code = next() < 0.3 ? 3 : 0;
    const { net, finished } = await endedAt(moments[time % moments.length]!, code);
    checkAgreement(net, finished, code);
  }
});
