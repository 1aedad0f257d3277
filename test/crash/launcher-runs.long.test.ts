/** A run whose first launcher is killed before each of its calls that leave a trace (strace of Linux). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Finished, NetBench } from '../e2e/workbench.js';
import { checkHistory, countedNet, goOn, THREE } from './crashes.js';
import { at, killing, mayBeMissing, type Point, pointsIn, STRACE, tracing } from './strace.js';

/** Claims, records, answers, starts and ends: between them a launcher changes nothing that others can see. */
const SEEN = new Set(['write', 'openat', 'open', 'vfork', 'fork', 'clone', 'clone3', 'wait4', 'waitpid']);

test.skipIf(mayBeMissing)('is gone on with to its end, each attempt started once', async () => {
  const points = await pointsOfOneRun();
  let killed = 0;
  for (const point of points) {
    try {
      if (await visit(point)) killed++;
    } catch (error) {
      throw new Error(at(point), { cause: error });
    }
  }
  console.log(`crashes: ${killed} points of the first launcher of a run of three jobs`);
  expect(killed).toBeGreaterThan(20);
});

async function pointsOfOneRun(): Promise<Point[]> {
  const net = countedNet(THREE);
  expect(await startTraced(net, tracing(traceOf(net)))).toMatchObject({ code: 0 });
  return pointsIn(readFileSync(traceOf(net), 'utf8')).filter(({ call }) => SEEN.has(call));
}

/** False: the launcher never came there, because another one had its jobs. */
async function visit(point: Point): Promise<boolean> {
  const net = countedNet(THREE);
  await startTraced(net, killing(point, traceOf(net)));
  await goOn(net, 'launchers');
  checkHistory(net, 'launchers');
  return readFileSync(traceOf(net), 'utf8').includes('killed by SIGKILL');
}

function startTraced(net: NetBench, options: readonly string[]): Promise<Finished> {
  const env = {
    NODE_OPTIONS: `--import ${new URL('launcher-hook.mjs', import.meta.url).href}`,
    LAUNCHER_STRACE: JSON.stringify([STRACE, ...options]),
  };
  return net.startWith({ env }, 'start', '-j', '1').finished;
}

function traceOf({ folder }: NetBench): string {
  return path.join(folder, 'trace');
}
