/** Writing while others write, and on a disk that fails. */

import { renameSync, utimesSync } from 'node:fs';
import type fs from 'node:fs/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ENDED, RUNNING } from '../contract/net-file.js';
import { createRig, until } from './rig.js';

const TEXT = 'job,status,memo\na,9,\nb,9,\n';

/** What was asked of the system, in order; `before` is called with each, and may throw what the system would say. */
const system = vi.hoisted(() => ({ calls: [] as string[], before: (_call: string) => {} }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const note = (call: string) => {
    system.calls.push(call);
    system.before(call);
  };
  const open: typeof real.open = async (...args) => {
    note('open');
    const handle = await real.open(...args);
    for (const method of ['writeFile', 'sync'] as const) {
      const original = handle[method].bind(handle) as (...all: unknown[]) => Promise<void>;
      Object.assign(handle, {
        [method]: (...all: unknown[]) => {
          note(method);
          return original(...all);
        },
      });
    }
    return handle;
  };
  return {
    ...real,
    open,
    stat: (...args: Parameters<typeof real.stat>) => {
      note('stat');
      return real.stat(...args);
    },
    rename: (...args: Parameters<typeof real.rename>) => {
      note('rename');
      return real.rename(...args);
    },
  };
});

beforeEach(() => {
  system.calls.length = 0;
  system.before = () => {};
});

/** Does something at the n-th call of a kind, counted from 1. */
function at(kind: string, number: number, action: () => void): void {
  let seen = 0;
  system.before = (call) => {
    if (call === kind && ++seen === number) action();
  };
}

describe('a version saved after ours was read and before it is replaced', () => {
  test('survives, with our cells in it', async () => {
    const rig = createRig(TEXT);
    at('stat', 2, () => rig.save('job,status,memo\na,9,mine\nb,1,\n'));
    rig.netFile.show('a', ENDED);
    await rig.netFile.flush();
    expect(rig.text()).toBe('job,status,memo\na,0,mine\nb,1,\n');
  });

  test('survives although it is as long as the one before', async () => {
    const rig = createRig(TEXT);
    // Some systems stamp files by ticks of some milliseconds: the two versions are not of one tick.
    utimesSync(rig.file, 1, 1);
    at('stat', 2, () => rig.save('job,status,memo\na,9,\nb,1,\n'));
    rig.netFile.show('a', ENDED);
    await rig.netFile.flush();
    expect(rig.text()).toBe('job,status,memo\na,0,\nb,1,\n');
  });

  test('is not taken for trouble', async () => {
    const rig = createRig(TEXT);
    at('stat', 2, () => rig.save('job,status,memo\na,9,mine\nb,1,\n'));
    rig.netFile.show('a', ENDED);
    await rig.netFile.flush();
    expect([rig.troubles, rig.leftOver()]).toEqual([[], []]);
  });
});

describe('a file that somebody saves all the time', () => {
  test('is left alone for a while, and said to be busy', async () => {
    const rig = createRig(TEXT);
    let version = 0;
    system.before = (call) => {
      if (call === 'open') rig.save(`job,status,memo\na,9,version ${++version}\n`);
    };
    rig.netFile.show('a', ENDED);
    rig.clock.advance(0);
    await until(() => rig.troubles.length > 0);
    expect([version, rig.troubles]).toEqual([10, [{ kind: 'unwritable', code: 'EBUSY' }]]);
  });
});

describe('a replacement', () => {
  test('is on disk before it gets the name', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', ENDED);
    await rig.netFile.flush();
    expect(system.calls).toEqual(['stat', 'open', 'writeFile', 'sync', 'stat', 'rename']);
  });

  test('does not take place when a successor has taken our folder away', async () => {
    const rig = createRig(TEXT);
    at('rename', 1, () => renameSync(rig.outFolder, `${rig.outFolder}.old`));
    rig.netFile.show('a', ENDED);
    rig.clock.advance(0);
    await until(() => rig.troubles.length > 0);
    expect([rig.text(), rig.troubles]).toEqual([TEXT, [{ kind: 'unwritable', code: 'ENOENT' }]]);
  });
});

describe.each(['open', 'writeFile', 'sync', 'rename'])('a disk that fails at %s', (call) => {
  const fail = () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };

  test('leaves the file as it was', async () => {
    const rig = createRig(TEXT);
    at(call, 1, fail);
    rig.netFile.show('a', ENDED);
    rig.clock.advance(0);
    await until(() => rig.troubles.length > 0);
    expect([rig.text(), rig.troubles, rig.leftOver()]).toEqual([
      TEXT,
      [{ kind: 'unwritable', code: 'ENOSPC' }],
      [],
    ]);
  });

  test('gets the last cells when it works again', async () => {
    const rig = createRig(TEXT);
    at(call, 1, fail);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    await until(() => rig.clock.dueTimes().length > 0);
    rig.netFile.show('a', ENDED);
    await rig.netFile.flush();
    expect([rig.text(), rig.troubles.at(-1)]).toEqual(['job,status,memo\na,0,\nb,9,\n', null]);
  });
});
