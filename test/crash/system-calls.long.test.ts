/** The controller, its launchers or a job are killed at their N-th system call of a kind (strace of Linux). */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { random } from '../random.js';
import { checkHistory, countedNet, goOn, THREE } from './crashes.js';
import { mayBeMissing, STRACE } from './strace.js';

const CALLS = ['fdatasync', 'rename', 'write', 'pwrite64', 'openat', 'link', 'fsync'] as const;
/** Points of each kind, anywhere up to where the shortest run has no more. */
const POINTS = 10;
const LAST: Record<(typeof CALLS)[number], number> = {
  fdatasync: 8,
  rename: 6,
  write: 60,
  pwrite64: 12,
  openat: 150,
  link: 3,
  fsync: 10,
};

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);

test.runIf(process.env['CI'])('strace is installed', () => {
  expect(STRACE).not.toBeNull();
});

test.skipIf(mayBeMissing).each(CALLS)(`at a call of %s, seed ${seed}`, async (call) => {
  const next = random(seed);
  let killed = 0;
  for (let visit = 0; visit < POINTS; visit++) {
    const point = 1 + Math.floor(next() * LAST[call]);
    const net = countedNet(THREE);
    const inject = [`trace=${call}`, `inject=${call}:signal=KILL:when=${point}`].flatMap((text) => [
      '-e',
      text,
    ]);
    const main = [process.execPath, path.resolve('dist/cli/main.js'), 'start', '--keep-going'];
    const child = spawn('strace', ['-f', '-o', '/dev/null', ...inject, ...main], {
      cwd: net.folder,
      stdio: 'ignore',
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) killed++;
    try {
      await goOn(net, 'both');
      checkHistory(net, 'both');
    } catch (error) {
      throw new Error(`${call} ${point}, seed ${seed}`, { cause: error });
    }
  }
  console.log(`crashes at ${call}: ${POINTS} points, ${killed} of them ended something`);
  expect(killed).toBeGreaterThan(0);
});
