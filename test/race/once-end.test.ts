import { expect, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { beginOnce, endOnce } from '../../src/claim/once.js';
import { keyFolder } from '../../src/claim/place.js';
import type { Files } from '../../src/claim/steps.js';
import { tempFolder } from '../contract/temp-folder.js';

test.each([false, true])(
  'who said how it ended after it was looked for, and then died, has an end: again if lost %s',
  (againIfLost) => {
    const dir = tempFolder();
    const folder = keyFolder(dir, 'publish', 'k');
    beginOnce('publish', { dir, key: 'k' });
    // With the option the last look decides: the first one lets it bid.
    let looks = againIfLost ? 2 : 1;
    const files: Files = {
      ...DISK,
      life: () => {
        if (--looks === 0) endOnce({ folder, number: 1 }, { code: 0, signal: null, endedAt: 5 });
        return 'dead';
      },
    };
    expect(beginOnce('publish', { dir, key: 'k', againIfLost }, files)).toMatchObject({
      kind: 'done',
      done: { code: 0 },
    });
  },
);
