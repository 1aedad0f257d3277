import { expect, test } from 'vitest';
import { checkAgreement, endedAt, MOMENTS } from './end-moments.js';

test.each(Object.keys(MOMENTS).map((moment, index) => [moment, index % 3 === 2 ? 3 : 0] as const))(
  'STA-11: with TERM %s (exit code %i) CSV, journal, summary and status agree',
  async (moment, code) => {
    const { net, finished } = await endedAt(moment, code);
    checkAgreement(net, finished, code);
    if (code !== 0) return;
    const again = net.run('resume');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('nothing to do')]);
    expect(net.effects()).toEqual(['A', 'LAST']);
  },
);
