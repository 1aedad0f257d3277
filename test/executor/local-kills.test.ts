import { expect, test } from 'vitest';
import type { Report } from '../../src/core/words.js';
import { random } from '../random.js';
import { createLocalRig } from './local-rig.js';
import { kill, until } from './support.js';

const ATTEMPTS = 150;
const SLOTS = 4;

/** Attempts of one job, always as many as there are slots, while launchers are killed at any moment. */
async function runUnderFire(seed: number): Promise<{ ends: Report[][]; runs: number[] }> {
  const next = random(seed);
  const rig = createLocalRig({ slots: SLOTS });
  rig.script('J', '#!/bin/sh\necho "$JOBNET_ATTEMPT" >>history\nexit 7\n');
  const ends: Report[][] = Array.from({ length: ATTEMPTS + 1 }, () => []);
  let asked = 0;
  const ask = () => {
    if (asked < ATTEMPTS) rig.launch('J', ++asked);
  };
  const aim = (pid: number) => {
    if (next() < 0.6) setTimeout(() => kill(pid, 'SIGKILL'), next() * 40);
  };
  rig.executor.listen({
    report: (_job, attempt, report) => {
      if (report.kind === 'running') return;
      ends[attempt]!.push(report);
      ask();
    },
    launcher: ({ launcher, pid }) => {
      aim(pid);
      rig.executor.admit(launcher);
    },
  });
  for (let slot = 0; slot < SLOTS; slot++) ask();
  await until(
    () => ends.filter((reports) => reports.length > 0).length === ATTEMPTS,
    `all ends, seed ${seed}`,
  );
  const runs = ends.map((_, attempt) => rig.history().filter((line) => line === String(attempt)).length);
  return { ends: ends.slice(1), runs: runs.slice(1) };
}

const TRUE_RUNS: Readonly<Record<string, readonly number[]>> = {
  exited: [1],
  'not-started': [0],
  // Its end is not known; it may have been killed before its first line.
  lost: [0, 1],
};

test.each([1, 2, 3])(
  'every attempt has one end, and that is true, whenever launchers die: seed %d',
  async (seed) => {
    const { ends, runs } = await runUnderFire(seed);
    const wrong = ends.flatMap((reports, index) => {
      const [report] = reports;
      const isTrue = reports.length === 1 && TRUE_RUNS[report!.kind]?.includes(runs[index]!);
      return isTrue ? [] : [{ attempt: index + 1, reports, runs: runs[index] }];
    });
    expect(wrong).toEqual([]);
  },
);
