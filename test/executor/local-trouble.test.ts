import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { attemptsFolder, exitsFolder, logPath } from '../../src/executor/attempts.js';
import { voidAttempt } from '../../src/executor/evidence.js';
import { createLocalRig, run } from './local-rig.js';
import { exists, script, until } from './support.js';

/** A rig with the job J, which has nothing to do. */
function givenJob(options: Parameters<typeof createLocalRig>[0] = {}) {
  const rig = createLocalRig(options);
  rig.script('J', '#!/bin/sh\n');
  return rig;
}

const SHORT = { kind: 'not-started', shortage: { kind: 'resources' } };

describe('what hinders a launcher is a shortage, not the fault of the job:', () => {
  test('the shell is missing', async () => {
    expect(await run(givenJob({ shell: '/nosuch/sh' }), 'J')).toMatchObject(SHORT);
  });

  test('the shell is missing, and the cause says so in few words', async () => {
    const report = await run(givenJob({ shell: '/nosuch/sh' }), 'J');
    expect(report).toMatchObject({ cause: 'spawn /nosuch/sh ENOENT' });
  });

  test('the shell ends at once', async () => {
    expect(await run(givenJob({ shell: '/bin/false' }), 'J')).toMatchObject(SHORT);
  });

  test('the folder of the net went away after the look at the script', async () => {
    const rig = givenJob();
    rig.executor.inspect('J');
    renameSync(rig.folder, `${rig.folder}.away`);
    rig.executor.ensure({ job: 'J', attempt: 1 });
    const report = await until(() => rig.endOf('J'));
    renameSync(`${rig.folder}.away`, rig.folder);
    expect(report).toMatchObject(SHORT);
  });

  test('the folder for records is gone', async () => {
    const rig = givenJob();
    rmSync(exitsFolder(rig.runFolder), { recursive: true });
    expect(await run(rig, 'J')).toMatchObject(SHORT);
  });

  test('no FIFO can be made', async () => {
    const rig = givenJob({ slots: 1 });
    script(path.join(exitsFolder(rig.runFolder), '7-1.life'), '');
    expect(await run(rig, 'J')).toMatchObject(SHORT);
  });

  test('the records file of its name is there already', async () => {
    const rig = givenJob();
    writeFileSync(path.join(exitsFolder(rig.runFolder), '7-1'), '');
    expect(await run(rig, 'J')).toMatchObject(SHORT);
  });

  test('the records file of its name is there already, and stays', async () => {
    const rig = givenJob();
    const file = path.join(exitsFolder(rig.runFolder), '7-1');
    writeFileSync(file, 'E 0 J.1\n');
    await run(rig, 'J');
    expect(readFileSync(file, 'utf8')).toBe('E 0 J.1\n');
  });

  test('its complaints have no place, and the space of its records goes back', async () => {
    const rig = givenJob({ slots: 1 });
    mkdirSync(path.join(exitsFolder(rig.runFolder), 'launchers.err'));
    expect(await run(rig, 'J')).toMatchObject(SHORT);
    expect(exists(path.join(exitsFolder(rig.runFolder), '7-1'))).toBe(false);
  });
});

describe('after a start that failed', () => {
  test('the next attempt may succeed', async () => {
    const rig = givenJob();
    writeFileSync(path.join(exitsFolder(rig.runFolder), '7-1'), '');
    await run(rig, 'J');
    expect(await run(rig, 'J', 2)).toEqual({ kind: 'exited', code: 0 });
  });

  test('no attempt is left without a report, however many wait', async () => {
    const rig = givenJob({ shell: '/nosuch/sh' });
    for (let attempt = 1; attempt <= 9; attempt++) rig.launch('J', attempt);
    await until(() => rig.reports.length === 9);
    expect(rig.reports.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('no attempt is left without a report where starts fail before there is a process', async () => {
    const rig = givenJob();
    rmSync(exitsFolder(rig.runFolder), { recursive: true });
    for (let attempt = 1; attempt <= 9; attempt++) rig.launch('J', attempt);
    await until(() => rig.reports.length === 9);
    expect(rig.reports.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('the folder of a log that was taken away', () => {
  test('is a shortage', async () => {
    const rig = givenJob();
    rig.executor.inspect('J');
    rmSync(path.dirname(logPath(rig.runFolder, 'J', 1)), { recursive: true });
    rig.executor.ensure({ job: 'J', attempt: 1 });
    expect(await until(() => rig.endOf('J'))).toMatchObject(SHORT);
  });

  test('is made again for the next attempt', async () => {
    const rig = givenJob();
    rig.executor.inspect('J');
    rmSync(path.dirname(logPath(rig.runFolder, 'J', 1)), { recursive: true });
    rig.executor.ensure({ job: 'J', attempt: 1 });
    await until(() => rig.endOf('J'));
    expect(await run(rig, 'J', 2)).toEqual({ kind: 'exited', code: 0 });
  });

  test('is a shortage already when it cannot be made', () => {
    const rig = givenJob();
    rmSync(attemptsFolder(rig.runFolder), { recursive: true });
    writeFileSync(attemptsFolder(rig.runFolder), '');
    expect(rig.executor.inspect('J')).toMatchObject({ kind: 'shortage', shortage: { kind: 'resources' } });
  });
});

describe('a claim that somebody else has', () => {
  test('keeps the job from running', async () => {
    const rig = givenJob();
    rig.script('J', '#!/bin/sh\necho ran >>history\n');
    rig.executor.inspect('J');
    voidAttempt(rig.runFolder, { job: 'J', attempt: 1 }, 8);
    rig.executor.ensure({ job: 'J', attempt: 1 });
    await until(() => rig.endOf('J'));
    expect(exists(path.join(rig.folder, 'history'))).toBe(false);
  });

  test('is told as an attempt that did not start', async () => {
    const rig = givenJob();
    rig.executor.inspect('J');
    voidAttempt(rig.runFolder, { job: 'J', attempt: 1 }, 8);
    rig.executor.ensure({ job: 'J', attempt: 1 });
    expect(await until(() => rig.endOf('J'))).toMatchObject(SHORT);
  });
});
