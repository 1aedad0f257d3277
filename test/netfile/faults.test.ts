/** Writing while others write, and on a disk that fails. */

import type fs from 'node:fs';
import { readdirSync, readlinkSync, renameSync, utimesSync } from 'node:fs';
import type promises from 'node:fs/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ENDED, RUNNING } from '../contract/net-file.js';
import { createRig, type Rig } from './rig.js';

const TEXT = 'job,status,memo\na,9,\nb,9,\n';

/** What was asked of the system, in order; `before` is called with each, and may throw what the system would say. */
const system = vi.hoisted(() => ({
  calls: [] as string[],
  before: (_call: string) => {},
  note(call: string) {
    system.calls.push(call);
    system.before(call);
  },
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof promises>();
  const open: typeof real.open = async (...args) => {
    system.note(args[1] === 'r' ? 'open for late edits' : 'open');
    const handle = await real.open(...args);
    for (const method of ['writeFile', 'sync', 'close'] as const) {
      const original = handle[method].bind(handle) as (...all: unknown[]) => Promise<void>;
      Object.assign(handle, {
        [method]: (...all: unknown[]) => {
          if (method !== 'close') system.note(method);
          return original(...all);
        },
      });
    }
    // The system may write less than it was given.
    const write = handle.write.bind(handle) as (...all: unknown[]) => unknown;
    Object.assign(handle, {
      write: (bytes: Buffer, from: number, length: number, position: number) => {
        system.note('write');
        return write(bytes, from, Math.min(length, 10), position);
      },
    });
    return handle;
  };
  return {
    ...real,
    open,
    stat: (...args: Parameters<typeof real.stat>) => {
      system.note('stat');
      return real.stat(...args);
    },
    readFile: (...args: Parameters<typeof real.readFile>) => {
      system.note('read');
      return real.readFile(...args);
    },
  };
});

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  return {
    ...real,
    statSync: (...args: Parameters<typeof real.statSync>) => {
      if (String(args[0]).endsWith('/jobnet.csv')) system.note('stat again');
      return real.statSync(...args);
    },
    renameSync: (...args: Parameters<typeof real.renameSync>) => {
      if (String(args[1]).endsWith('/jobnet.csv')) system.note('rename');
      return real.renameSync(...args);
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

describe('STA-04 a version saved after ours was read and before it is replaced', () => {
  test('survives, with our cells in it', async () => {
    const rig = createRig(TEXT);
    at('stat again', 1, () => rig.save('job,status,memo\na,9,mine\nb,9,\n'));
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status,memo\na,0,mine\nb,9,\n');
  });

  test('survives although it has the length and the time of the one before', async () => {
    const rig = createRig(TEXT);
    utimesSync(rig.file, 1, 1);
    at('stat again', 1, () => {
      rig.save('job,status,memo\nb,9,\na,9,\n');
      utimesSync(rig.file, 1, 1);
    });
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status,memo\nb,9,\na,0,\n');
  });

  test('is not taken for trouble', async () => {
    const rig = createRig(TEXT);
    at('stat again', 1, () => rig.save('job,status,memo\na,9,mine\nb,9,\n'));
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect([rig.events, rig.leftOver()]).toEqual([[], []]);
  });

  test('is offered before it is written over', async () => {
    const rig = createRig(TEXT);
    at('stat again', 1, () => rig.save('job,status,memo\na,9,\nb,1,\n'));
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.versions.map(({ edits }) => edits.rows.map(({ job, to }) => [job, to]))).toEqual([
      [['b', '1']],
    ]);
  });

  test('survives when the file is written in place', async () => {
    const rig = createRig(TEXT, { hasOutFolder: false });
    at('open', 2, () => rig.save('job,status,memo\na,9,mine\nb,9,\n'));
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status,memo\na,0,mine\nb,9,\n');
  });
});

describe('a file that somebody saves all the time', () => {
  async function saveAllTheTime(rig: Rig, ms: number): Promise<void> {
    const end = rig.clock.now() + ms;
    for (let version = 0; rig.clock.now() < end; version++) {
      rig.save(`job,status,memo\na,9,version ${version}\nb,9,\n`);
      await rig.pass(50);
    }
  }

  test('is left alone for a while, and then said to be busy, once', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', ENDED);
    await saveAllTheTime(rig, 30_000);
    expect([rig.events, rig.versions]).toEqual([[{ type: 'unwritten', code: 'EBUSY' }], []]);
  });

  test('is not called busy while nothing is to be written', async () => {
    const rig = createRig(TEXT);
    await saveAllTheTime(rig, 30_000);
    expect(rig.events).toEqual([]);
  });

  test('gets what is missing when it comes to rest', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', ENDED);
    await saveAllTheTime(rig, 30_000);
    await rig.pass(5000);
    expect([rig.text().includes('a,0,version'), rig.events.at(-1)]).toEqual([
      true,
      { type: 'written', inPlace: null },
    ]);
  });
});

describe('a replacement', () => {
  test('is on disk before it gets the name, and nothing comes between the last look and that', async () => {
    const rig = createRig(TEXT, { listens: false });
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(system.calls).toEqual([
      'stat',
      'read',
      'open for late edits',
      'open',
      'writeFile',
      'sync',
      'stat again',
      'rename',
    ]);
  });

  test('does not take place when a successor has taken our folder away', async () => {
    const rig = createRig(TEXT);
    at('stat again', 1, () => renameSync(rig.outFolder, `${rig.outFolder}.old`));
    rig.netFile.show('a', ENDED);
    await rig.pass(500);
    expect([rig.text(), rig.events]).toEqual([TEXT, [{ type: 'unwritten', code: 'ENOENT' }]]);
  });
});

const fail = () => {
  throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
};

describe.each(['open for late edits', 'open', 'writeFile', 'sync', 'rename'])(
  'a disk that fails at %s',
  (call) => {
    test('leaves the file as it was', async () => {
      const rig = createRig(TEXT);
      at(call, 1, fail);
      rig.netFile.show('a', ENDED);
      await rig.pass(500);
      expect([rig.text(), rig.events, rig.leftOver()]).toEqual([
        TEXT,
        [{ type: 'unwritten', code: 'ENOSPC' }],
        [],
      ]);
    });

    test('gets the last cells when it works again', async () => {
      const rig = createRig(TEXT);
      at(call, 1, fail);
      rig.netFile.show('a', RUNNING);
      await rig.pass(500);
      rig.netFile.show('a', ENDED);
      await rig.flush();
      expect([rig.text(), rig.events.at(-1)]).toEqual([
        'job,status,memo\na,0,\nb,9,\n',
        { type: 'written', inPlace: null },
      ]);
    });

    test('is said once, however often it fails', async () => {
      const rig = createRig(TEXT);
      system.before = (one) => {
        if (one === call) fail();
      };
      rig.netFile.show('a', ENDED);
      await rig.pass(60_000);
      expect(rig.events).toEqual([{ type: 'unwritten', code: 'ENOSPC' }]);
    });

    test('is tried again a second later, not at once', async () => {
      const rig = createRig(TEXT, { listens: false });
      at(call, 1, fail);
      const { clock } = rig;
      const before = clock.now();
      rig.netFile.show('a', ENDED);
      await rig.pass(0);
      expect(clock.dueTimes()).toEqual([before + 1000]);
    });

    test.skipIf(process.platform !== 'linux')('leaves no file open', async () => {
      const rig = createRig(TEXT);
      system.before = (one) => {
        if (one === call) fail();
      };
      rig.netFile.show('a', ENDED);
      await rig.pass(60_000);
      expect(openFilesIn(rig)).toEqual([]);
    });
  },
);

describe('STA-09 a file that a spreadsheet has open on a share', () => {
  /** Nobody else may write it, nor put another one in its place. */
  function openElsewhere(rig: Rig): void {
    system.before = (call) => {
      if (call === 'open') throw Object.assign(new Error('busy'), { code: 'EBUSY', syscall: 'open' });
    };
    for (const job of ['a', 'b']) rig.netFile.show(job, ENDED);
  }

  test('is tried for as long as that takes, and that is said once', async () => {
    const rig = createRig(TEXT);
    openElsewhere(rig);
    await rig.pass(600_000);
    expect([rig.text(), rig.events]).toEqual([TEXT, [{ type: 'unwritten', code: 'EBUSY' }]]);
  });

  test.each([
    ['without saving', () => {}, 'job,status,memo\na,0,\nb,0,\n'],
    [
      'and saved',
      (rig: Rig) => rig.save(TEXT.replace('a,9,', 'a,9,mine')),
      'job,status,memo\na,0,mine\nb,0,\n',
    ],
  ])('gets all that is missing when it is closed %s', async (_, close, text) => {
    const rig = createRig(TEXT);
    openElsewhere(rig);
    await rig.pass(60_000);
    close(rig);
    system.before = () => {};
    await rig.pass(10_000);
    expect([rig.text(), rig.events.at(-1)]).toEqual([text, { type: 'written', inPlace: null }]);
  });
});

describe('a write in place', () => {
  test('goes on where the system has stopped', async () => {
    const rig = createRig(TEXT, { hasOutFolder: false });
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect([rig.text(), system.calls.filter((call) => call === 'write').length]).toEqual([
      'job,status,memo\na,0,\nb,9,\n',
      3,
    ]);
  });

  test.each([1, 2, 3])('that fails at its part %i leaves the file as it was', async (part) => {
    const rig = createRig(TEXT, { hasOutFolder: false });
    at('write', part, fail);
    rig.netFile.show('a', ENDED);
    await rig.pass(500);
    expect([rig.text(), rig.events]).toEqual([TEXT, [{ type: 'unwritten', code: 'ENOSPC' }]]);
  });
});

/** Linux: what this process has open below the folder of a test. */
function openFilesIn(rig: Rig): string[] {
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return open.filter((name) => name.startsWith(rig.folder));
}
