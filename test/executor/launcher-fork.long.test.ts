import { expect, test } from 'vitest';
import { FORKLESS, readyByHand, SHELLS } from './shells.js';

const BASHES = SHELLS.filter((shell) => shell.name.startsWith('bash'));

test.skipIf(!FORKLESS || !BASHES[0]!.program).each(BASHES)(
  '$name that cannot fork says F in the end, and leaves',
  async (shell) => {
    const launcher = await readyByHand(shell, { wrapper: FORKLESS! });
    const answer = await launcher.run('J', '/bin/echo', 'ran');
    await launcher.left;
    expect(answer).toBe('F - J.1');
  },
);
