import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { logPath } from '../../src/executor/attempts.js';
import { judgeAttempts, voidAttempt } from '../../src/executor/evidence.js';
import {
  end,
  identify,
  J,
  jobOfFrozenLauncher,
  launcher,
  look,
  orphanedJob,
  WAITING,
  waitingJob,
} from './evidence-rig.js';
import { FORKLESS } from './shells.js';
import { createGate, exists, isLinux, tempFolder, until } from './support.js';

describe('an attempt with a recorded end', () => {
  test('has exited with that code', async () => {
    const own = await launcher();
    await own.run('J', '/bin/sh', '-c', 'exit 3');
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'exited', code: 3 });
  });

  test('has exited also after another boot', async () => {
    const own = await launcher();
    await own.run('J', '/bin/sh', '-c', 'exit 3');
    const found = look(own.folder, { ...identify(own), bootId: 'another' });
    expect(found.finding).toEqual({ kind: 'exited', code: 3 });
  });

  test('has exited also when nobody knows its launcher', async () => {
    const own = await launcher();
    await own.run('J', '/bin/sh', '-c', 'exit 3');
    expect(look(own.folder).finding).toEqual({ kind: 'exited', code: 3 });
  });

  test('ended when its launcher wrote last', async () => {
    const own = await launcher();
    await own.run('J', '/bin/sh', '-c', 'exit 3');
    utimesSync(own.recordsFile, 1000, 1_764_200_000);
    expect(look(own.folder, identify(own)).writtenAt).toBe(1_764_200_000_000);
  });
});

describe('an attempt that has started', () => {
  test('lives while its launcher does, which will know its end', async () => {
    const { own, identity } = await waitingJob();
    expect(look(own.folder, identity).finding).toEqual({ kind: 'living', knowsEnd: true });
  });

  test('lives also while its launcher is frozen', async () => {
    const waiting = await jobOfFrozenLauncher();
    expect(look(waiting.own.folder, waiting.identity).finding).toEqual({ kind: 'living', knowsEnd: true });
  });

  test.skipIf(!isLinux)('is proven by the pids of its processes', async () => {
    const { own, identity, pid } = await waitingJob();
    expect(look(own.folder, identity).pids).toEqual([pid]);
  });

  test('is proven by the pid of its launcher where its own are hidden', async () => {
    const { own, identity } = await waitingJob('by its lifeline alone');
    expect(look(own.folder, identity).pids).toEqual([own.pid]);
  });

  for (const how of Object.keys(WAITING) as (keyof typeof WAITING)[]) {
    test.skipIf(!isLinux)(
      `lives after its launcher died, with an end that nobody will know: seen ${how}`,
      async () => {
        const { own, identity } = await orphanedJob(how);
        expect(look(own.folder, identity).finding).toEqual({ kind: 'living', knowsEnd: false });
      },
    );

    test.skipIf(!isLinux)(`is lost once it is gone as well as its launcher: seen ${how}`, async () => {
      const waiting = await orphanedJob(how);
      await end(waiting);
      expect(look(waiting.own.folder, waiting.identity).finding).toEqual({ kind: 'lost' });
    });
  }

  test('is lost when the pid of its launcher belongs to another process', async () => {
    const waiting = await orphanedJob();
    await end(waiting);
    const identity = { ...waiting.identity, pid: process.pid };
    expect(look(waiting.own.folder, identity).finding).toEqual({ kind: 'lost' });
  });

  test('is lost after another boot', async () => {
    const { own, identity } = await waitingJob();
    expect(look(own.folder, { ...identity, bootId: 'another' }).finding).toEqual({ kind: 'lost' });
  });

  test('lives although the run has launchers of an earlier boot', async () => {
    const { own, identity } = await waitingJob();
    const earlier = {
      ...identity,
      launcher: '3-1',
      bootId: 'another',
      lifeline: path.join(own.folder, 'gone'),
    };
    expect(look(own.folder, earlier, identity).finding).toEqual({ kind: 'living', knowsEnd: true });
  });

  test('lives where one launcher started it and another found its log', async () => {
    const { own, identity } = await waitingJob();
    const other = await launcher({ folder: own.folder, name: '8-1' });
    await other.run('J', '/bin/sh', '-c', 'echo ran');
    expect(look(own.folder, identity, identify(other)).finding).toEqual({ kind: 'living', knowsEnd: true });
  });
});

describe('an attempt that has not started', () => {
  test('is unclaimed without a trace', async () => {
    const own = await launcher();
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'unclaimed' });
  });

  test('is unclaimed also when no launcher was ever recorded', async () => {
    const own = await launcher();
    expect(look(own.folder).finding).toEqual({ kind: 'unclaimed' });
  });

  test('may still be started by a living launcher that made its log', async () => {
    const own = await launcher();
    writeFileSync(own.logPath('J'), '');
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'undecided' });
  });

  test('never will be when its log was made and every living launcher is in the middle of another', async () => {
    const own = await launcher();
    writeFileSync(own.logPath('J'), '');
    const gate = createGate(path.join(own.folder, 'go'));
    own.feed('K', 1, ...WAITING['as any other']);
    await until(() => exists(own.logPath('K')) && own.log('K').trim());
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'not-started' });
    gate.open();
  });

  test('never will be when its log was made and every launcher is gone', async () => {
    const own = await launcher();
    const identity = identify(own);
    writeFileSync(own.logPath('J'), '');
    own.child.stdin!.end();
    await own.left;
    expect(look(own.folder, identity).finding).toEqual({ kind: 'not-started' });
  });

  test('never will be when a launcher found a log that nobody used', async () => {
    const own = await launcher();
    writeFileSync(own.logPath('J'), '');
    await own.run('J', '/bin/sh', '-c', ':');
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'not-started' });
  });

  test.skipIf(!FORKLESS)('never will be when its launcher could not fork', async () => {
    const own = await launcher({ wrapper: FORKLESS! });
    const identity = identify(own);
    await own.run('J', '/bin/echo');
    await own.left;
    expect(look(own.folder, identity).finding).toEqual({ kind: 'not-started' });
  });

  test('never will be when its log says so', async () => {
    const own = await launcher();
    voidAttempt(own.folder, J, 8);
    expect(look(own.folder, identify(own)).finding).toEqual({ kind: 'not-started' });
  });

  test('is lost after another boot, also without a log', async () => {
    const own = await launcher();
    expect(look(own.folder, { ...identify(own), bootId: 'another' }).finding).toEqual({ kind: 'lost' });
  });
});

describe('taking the claim of an attempt', () => {
  test('succeeds for the first only', async () => {
    const own = await launcher();
    expect([8, 9].map((epoch) => voidAttempt(own.folder, J, epoch))).toEqual([true, false]);
  });

  test('keeps every launcher from starting it', async () => {
    const own = await launcher();
    voidAttempt(own.folder, J, 8);
    expect(await own.run('J', '/bin/sh', '-c', 'echo ran')).toBe('X - J.1');
  });

  test('comes too late when a launcher was faster', async () => {
    const own = await launcher();
    await own.run('J', '/bin/sh', '-c', 'echo ran');
    expect(voidAttempt(own.folder, J, 8)).toBe(false);
  });

  test('says what the system says when it cannot be taken', () => {
    expect(() => voidAttempt(tempFolder(), J, 8)).toThrow(/ENOENT/);
  });
});

test('a log is judged without reading it: three gigabytes are no trouble', async () => {
  const { own, identity } = await waitingJob();
  truncateSync(logPath(own.folder, 'J', 1), 3 * 2 ** 30);
  expect(look(own.folder, identity).finding.kind).toBe('living');
});

test('no attempts are judged without a look at anything', () => {
  expect(
    judgeAttempts({ runFolder: '/nosuch', marker: { run: '', file: '' }, launchers: new Map() }, []),
  ).toEqual([]);
});
