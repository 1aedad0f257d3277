/** The local executor ends attempts, wherever they are: in the queue, with a launcher, with none. */
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { RECORDS_BYTES } from '../../src/executor/records.js';
import { findMarked } from '../../src/host/marked.js';
import { createLocalRig, type LocalRig, recordsOf, run } from './local-rig.js';
import { until } from './support.js';

const SOON = { signal: 'TERM', forceAt: Number.POSITIVE_INFINITY };
const kill = (rig: LocalRig, job: string, attempt = 1) => rig.executor.kill({ job, attempt }, SOON);
const endOf = (rig: LocalRig, job: string, attempt = 1) => until(() => rig.endOf(job, attempt));

describe('an attempt that is to end', () => {
  test('while no launcher has it is never started', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.steered('J');
    rig.steered('K');
    rig.launch('J');
    rig.launch('K');
    await until(() => rig.history().length > 0);
    kill(rig, 'K');
    expect(await endOf(rig, 'K')).toEqual({ kind: 'killed', code: null, survivors: [] });
    rig.end('J', 1, 0);
    await endOf(rig, 'J');
    expect(rig.history()).toEqual(['start J.1', 'end J.1']);
  });

  test('as soon as it was asked for is killed', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    kill(rig, 'J');
    expect(await endOf(rig, 'J')).toMatchObject({ kind: 'killed', survivors: [] });
  });

  test('is over with the code that its launcher has recorded', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    kill(rig, 'J');
    expect(await endOf(rig, 'J')).toEqual({ kind: 'killed', code: 143, survivors: [] });
  });

  test('is reported once, however often it is asked for', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    for (let time = 0; time < 3; time++) kill(rig, 'J');
    await endOf(rig, 'J');
    kill(rig, 'J');
    rig.script('K', '#!/bin/sh\n');
    await run(rig, 'K');
    expect(rig.reports.filter(({ job, report }) => job === 'J' && report.kind !== 'running')).toHaveLength(1);
  });

  test('is ended also when its launcher died first', async () => {
    const rig = createLocalRig();
    rig.steered('J');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    process.kill(rig.launchers[0]!.pid, 'SIGKILL');
    await until(() => rig.reports.length > 0);
    kill(rig, 'J');
    expect(await endOf(rig, 'J')).toEqual({ kind: 'killed', code: null, survivors: [] });
    expect(findMarked(rig.marker)).toEqual([]);
  });

  test('takes its launcher with it: the next job has another one', async () => {
    const rig = createLocalRig({ slots: 1 });
    rig.steered('J');
    rig.script('K', '#!/bin/sh\necho $PPID\n');
    rig.launch('J');
    await until(() => rig.history().length > 0);
    kill(rig, 'J');
    await endOf(rig, 'J');
    await run(rig, 'K');
    expect(rig.launchers).toHaveLength(2);
    expect(rig.log('K')).toBe(`${rig.launchers[1]!.pid}\n`);
  });

  test('and has ended before by itself keeps its own end, and what it has left lives on', async () => {
    const clock = createFakeClock();
    const rig = createLocalRig({ clock });
    rig.script('J', '#!/bin/sh\nsleep 600 &\nexit 5\n');
    rig.launch('J');
    // Its launcher has answered and left; what is left of the job is about to be looked for.
    await until(() => rig.launchers.length > 0 && recordsOf(rig, '7-1').length < RECORDS_BYTES);
    kill(rig, 'J');
    // Time for a signal to arrive.
    rig.script('K', '#!/bin/sh\n');
    await run(rig, 'K');
    clock.advance(1000);
    expect(await endOf(rig, 'J')).toMatchObject({ kind: 'exited', code: 5, left: [{ name: 'sleep' }] });
    expect(findMarked(rig.marker)).toHaveLength(1);
  });
});
