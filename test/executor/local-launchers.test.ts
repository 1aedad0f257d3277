import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { systemClock } from '../../src/engine/system-clock.js';
import { exitsFolder, logPath } from '../../src/executor/attempts.js';
import { RECORDS_BYTES } from '../../src/executor/records.js';
import { bootId, readStat } from '../../src/host/identity.js';
import { findMarked } from '../../src/host/marked.js';
import { createLocalRig, type LocalRig, recordsOf, run } from './local-rig.js';
import { isGone, until } from './support.js';

/** The system's clock, with what a test adds to it. */
function movableClock() {
  let ahead = 0;
  const clock = { now: () => systemClock.now() + ahead, after: systemClock.after };
  return { clock, advance: (ms: number) => (ahead += ms) };
}

const PARENT = '#!/bin/sh\necho $PPID\n';
const parentOf = (rig: LocalRig, job: string) => Number(rig.log(job).split('\n')[0]);

/** J runs; then K, in the same launcher or in another one. */
async function sameLauncher(rig: LocalRig): Promise<boolean> {
  rig.script('K', PARENT);
  await run(rig, 'J');
  await run(rig, 'K');
  return parentOf(rig, 'J') === parentOf(rig, 'K');
}

describe('a launcher is used again', () => {
  test('after a short job', async () => {
    const rig = createLocalRig();
    rig.script('J', PARENT);
    expect(await sameLauncher(rig)).toBe(true);
  });

  test('after a job that failed', async () => {
    const rig = createLocalRig();
    rig.script('J', `${PARENT}kill -KILL $$\n`);
    expect(await sameLauncher(rig)).toBe(true);
  });

  test('but not after a job of a second', async () => {
    const { clock, advance } = movableClock();
    const rig = createLocalRig({ clock });
    rig.script('J', `${PARENT}echo $$ >>history; kill -STOP $$\n`);
    rig.script('K', PARENT);
    rig.launch('J');
    const pid = Number(await until(() => rig.history()[0]));
    await until(() => readStat(pid)?.life === 'frozen');
    advance(1000);
    process.kill(pid, 'SIGCONT');
    await until(() => rig.endOf('J'));
    await run(rig, 'K');
    expect(parentOf(rig, 'K')).not.toBe(parentOf(rig, 'J'));
  });

  test('but not after a job that left something behind', async () => {
    const rig = createLocalRig();
    rig.script('J', `${PARENT}sleep 600 &\n`);
    expect(await sameLauncher(rig)).toBe(false);
  });

  test('but not when its records are full', async () => {
    const rig = createLocalRig({ slots: 1 });
    const job = 'x'.repeat(200);
    rig.script(job, PARENT);
    const attempts = Math.ceil(RECORDS_BYTES / 400);
    for (let attempt = 1; attempt <= attempts; attempt++) await run(rig, job, attempt);
    expect(rig.launchers).toHaveLength(2);
  });

  test('and every end of a full records file was recorded', async () => {
    const rig = createLocalRig({ slots: 1 });
    const job = 'x'.repeat(200);
    rig.script(job, PARENT);
    const attempts = Math.ceil(RECORDS_BYTES / 400);
    for (let attempt = 1; attempt <= attempts; attempt++) await run(rig, job, attempt);
    const records = rig.launchers.map(({ launcher }) => recordsOf(rig, launcher)).join('');
    expect(records.match(/^E 0 /gm)).toHaveLength(attempts);
  });
});

describe('a launcher that is used no more', () => {
  test('leaves', async () => {
    const rig = createLocalRig();
    rig.script('J', `${PARENT}sleep 600 &\n`);
    await run(rig, 'J');
    expect(await until(() => isGone(parentOf(rig, 'J')))).toBe(true);
  });

  test('gives back the space kept for its records', async () => {
    const rig = createLocalRig();
    rig.script('J', `${PARENT}sleep 600 &\n`);
    await run(rig, 'J');
    const file = path.join(exitsFolder(rig.runFolder), '7-1');
    await until(() => statSync(file).size < RECORDS_BYTES);
    expect(recordsOf(rig, '7-1')).toMatch(/^R \d+ \nS \d+ J\.1\nE 0 J\.1\n$/);
  });
});

describe('a lifeline', () => {
  /** J runs so long that its launcher is used no more; resolves when that has left. */
  async function retire(rig: LocalRig, advance: (ms: number) => void, attempt: number): Promise<void> {
    const launcher = `7-${attempt}`;
    rig.launch('J', attempt);
    await until(() => rig.history().length === 2 * attempt - 1);
    advance(1000);
    rig.end('J', attempt, 0);
    await until(() => rig.endOf('J', attempt));
    await until(() => recordsOf(rig, launcher).length < RECORDS_BYTES);
  }

  test('goes to the next launcher when its own has left', async () => {
    const { clock, advance } = movableClock();
    const rig = createLocalRig({ clock, slots: 1 });
    rig.steered('J');
    for (const attempt of [1, 2, 3]) await retire(rig, advance, attempt);
    expect(new Set(rig.launchers.map(({ lifeline }) => lifeline)).size).toBe(1);
  });

  test('goes to no other launcher when its own died at work', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    const { pid } = rig.launchers[0]!;
    process.kill(pid, 'SIGSTOP');
    for (const job of findMarked(rig.marker)) process.kill(job.pid, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await until(() => rig.endOf('J'));
    rig.script('K', PARENT);
    await run(rig, 'K');
    expect(rig.launchers[0]!.lifeline).not.toBe(rig.launchers[1]!.lifeline);
  });
});

describe('an attempt that is adopted between its claim and its record', () => {
  test('waits for the launchers of its own controller, and for no others', async () => {
    const child = spawn('sleep', ['600']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const { pid } = child;
    const { startTime } = readStat(pid!)!;
    const lifeline = '/nonexistent';
    const identity = { launcher: '6-1', pid: pid!, startTime, bootId: bootId(), lifeline };
    const rig = createLocalRig({ slots: 1, earlierLaunchers: new Map([['6-1', identity]]) });
    rig.script('K', PARENT);
    await run(rig, 'K');
    const log = logPath(rig.runFolder, 'J', 1);
    mkdirSync(path.dirname(log), { recursive: true });
    writeFileSync(log, '');
    rig.executor.adopt({ job: 'J', attempt: 1 });
    await run(rig, 'K', 2);
    expect(rig.endOf('J')).toBeUndefined();
    child.kill('SIGKILL');
    expect(await until(() => rig.endOf('J'))).toMatchObject({ kind: 'not-started' });
  });
});

describe('when a launcher is killed', () => {
  test('its job is said to run until it is gone, and then lost', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    await until(() => rig.reports.length > 0);
    rig.end('J', 1, 0);
    await until(() => rig.endOf('J'));
    expect([rig.history(), rig.reports.map(({ report }) => report.kind)]).toEqual([
      ['start J.1', 'end J.1'],
      ['running', 'lost'],
    ]);
  });

  test('its job is said to run once, however often it is looked for', async () => {
    const clock = createFakeClock();
    const rig = createLocalRig({ clock });
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    await until(() => rig.reports.length > 0);
    for (let look = 1; look <= 3; look++) clock.advance(500);
    expect(rig.reports.map(({ report }) => report.kind)).toEqual(['running']);
  });

  test('between its claim and its record, the job did not start, also while another launcher is idle', async () => {
    const rig = createLocalRig({ slots: 2 });
    for (const job of ['J', 'K']) rig.steered(job);
    rig.launch('K');
    await until(() => rig.history().length > 0);
    rig.executor.listen({
      report: (job, attempt, report) => rig.reports.push({ job, attempt, report }),
      launcher: (identity) => {
        // It gets its job, and does not come to it.
        process.kill(identity.pid, 'SIGSTOP');
        rig.launchers.push(identity);
        rig.executor.admit(identity.launcher);
      },
    });
    rig.launch('J');
    await until(() => rig.launchers.length === 2);
    rig.end('K', 1, 0);
    await until(() => rig.endOf('K'));
    writeFileSync(logPath(rig.runFolder, 'J', 1), '');
    process.kill(rig.launchers[1]!.pid, 'SIGKILL');
    expect(await until(() => rig.endOf('J'))).toMatchObject({ kind: 'not-started' });
  });

  test('before its job has started, the job did not start', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    rig.script('K', PARENT);
    await run(rig, 'J');
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    expect(await run(rig, 'K')).toMatchObject({ kind: 'not-started', shortage: { kind: 'resources' } });
  });

  test('before its job has started, no other launcher will ever start that attempt', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    rig.script('K', PARENT);
    await run(rig, 'J');
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    await run(rig, 'K');
    expect(readFileSync(logPath(rig.runFolder, 'K', 1), 'utf8')).toBe('void 7\n');
  });

  test('while it is idle, the next job runs in another one', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    rig.script('K', PARENT);
    await run(rig, 'J');
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    // What the controller does when it has noticed.
    await until(() => recordsOf(rig, '7-1').length < RECORDS_BYTES);
    expect(await run(rig, 'K')).toEqual({ kind: 'exited', code: 0 });
  });

  test('before it was admitted, its job did not start', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    rig.executor.listen({
      report: (job, attempt, report) => rig.reports.push({ job, attempt, report }),
      launcher: ({ pid }) => process.kill(pid, 'SIGKILL'),
    });
    expect(await run(rig, 'J')).toMatchObject({ kind: 'not-started' });
  });

  test('before it was admitted, its late admission starts nothing', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.script('J', PARENT);
    rig.executor.listen({
      report: (job, attempt, report) => rig.reports.push({ job, attempt, report }),
      launcher: (identity) => {
        rig.launchers.push(identity);
        process.kill(identity.pid, 'SIGKILL');
      },
    });
    await run(rig, 'J');
    rig.executor.admit(rig.launchers[0]!.launcher);
    expect(await run(rig, 'J', 2)).toMatchObject({ kind: 'not-started' });
  });
});
