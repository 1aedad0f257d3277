import { describe, expect, test } from 'vitest';
import { FORKLESS, readyByHand, SHELLS } from './shells.js';

// bash tries again for 15 s before it gives up; launcher-fork.long.test.ts has the patience.
const QUICK = SHELLS.filter((shell) => !shell.name.startsWith('bash'));

for (const shell of QUICK)
  describe.skipIf(!shell.program || !FORKLESS)(`a launcher in ${shell.name} that cannot fork`, () => {
    test('says F and leaves', async () => {
      const launcher = await readyByHand(shell, { wrapper: FORKLESS! });
      const answer = await launcher.run('J', '/bin/echo', 'ran');
      await launcher.left;
      expect(answer).toBe('F - J.1');
    });

    test('has recorded that the job did not start', async () => {
      const launcher = await readyByHand(shell, { wrapper: FORKLESS! });
      await launcher.run('J', '/bin/echo', 'ran');
      expect(launcher.records().trimEnd().split('\n').slice(1)).toEqual([`S ${launcher.pid} J.1`, 'F - J.1']);
    });
  });
