import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { commandPath, exitsFolder } from '../../src/executor/attempts.js';
import { RECORDS_BYTES } from '../../src/executor/records.js';
import { createLocalRig, recordsOf, run } from './local-rig.js';
import { isGone, isLinux, until } from './support.js';

const PARENT = '#!/bin/sh\necho $PPID\n';

describe('after it was closed', () => {
  test('no idle launcher stays', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    await run(rig, 'J');
    await rig.executor.close();
    expect(await until(() => rig.launchers.every(({ pid }) => isGone(pid)))).toBe(true);
  });

  test('no launcher stays that was not admitted', async () => {
    const rig = createLocalRig();
    rig.executor.listen({ report: () => {}, launcher: (identity) => rig.launchers.push(identity) });
    rig.script('J', PARENT);
    rig.launch('J');
    await until(() => rig.launchers.length > 0);
    await rig.executor.close();
    expect(await until(() => isGone(rig.launchers[0]!.pid))).toBe(true);
  });

  test('a launcher finishes its job, records the end and leaves', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    await rig.executor.close();
    rig.end('J', 1, 9);
    await until(() => isGone(rig.launchers[0]!.pid));
    expect(recordsOf(rig, '7-1').trimEnd().split('\n').at(-1)).toBe('E 9 J.1');
  });

  test('idle launchers have given back the space kept for their records', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    await run(rig, 'J');
    await rig.executor.close();
    expect(recordsOf(rig, '7-1')).toMatch(/^R \d+ \nS \d+ J\.1\nE 0 J\.1\n$/);
  });

  test('a launcher with a job keeps the space for its records', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    await rig.executor.close();
    expect(recordsOf(rig, '7-1')).toHaveLength(RECORDS_BYTES);
  });

  test('records keep the time of the last one', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    await run(rig, 'J');
    const file = path.join(exitsFolder(rig.runFolder), '7-1');
    utimesSync(file, 1000, 1_764_200_000);
    await rig.executor.close();
    expect(statSync(file).mtimeMs).toBe(1_764_200_000_000);
  });

  test('no start follows one that fails too late', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    writeFileSync(path.join(exitsFolder(rig.runFolder), '7-1.life'), '');
    rig.launch('J', 1);
    rig.launch('J', 2);
    await rig.executor.close();
    await rig.executor.close();
    expect(readdirSync(exitsFolder(rig.runFolder))).toEqual(['7-1.life']);
  });

  test('a start that was under way has come to its end', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    rig.launch('J');
    await rig.executor.close();
    expect(readdirSync(exitsFolder(rig.runFolder)).sort()).toEqual(['7-1.life', '7-2.life']);
  });

  test('nothing is made for an attempt that comes too late', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    await rig.executor.close();
    rig.launch('J');
    await rig.executor.close();
    expect(readdirSync(exitsFolder(rig.runFolder))).toEqual([]);
  });

  test('no timer stays', async () => {
    const clock = createFakeClock();
    const rig = createLocalRig({ clock });
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    const before = clock.dueTimes().length;
    await rig.executor.close();
    expect([before, clock.dueTimes().length]).toEqual([1, 0]);
  });

  test('nobody looks for a job whose launcher died', async () => {
    const clock = createFakeClock();
    const rig = createLocalRig({ clock });
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    await until(() => rig.reports.length > 0);
    await rig.executor.close();
    expect(clock.dueTimes()).toEqual([]);
  });

  test('an attempt that could not be started is not reported', async () => {
    const rig = createLocalRig({ commands: new Map([['J', `: ${'x'.repeat(5000)}`]]) });
    mkdirSync(commandPath(rig.runFolder, 'J', 1), { recursive: true });
    rig.launch('J');
    await rig.executor.close();
    expect(rig.reports).toEqual([]);
  });

  test.skipIf(!isLinux)('no descriptor stays open', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    const rig = createLocalRig();
    rig.script('J', PARENT);
    rig.script('K', `${PARENT}sleep 600 &\n`);
    await run(rig, 'J');
    await run(rig, 'K');
    await rig.executor.close();
    expect(await until(() => descriptors() <= before)).toBe(true);
  });
});
