/** LOC-09: work that takes longer than the lease, in a program that does nothing else meanwhile. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { acquireLease } from '../../src/claim/held-lease.js';
import { parseBeat } from '../../src/claim/lease-steps.js';
import { tempFolder } from '../contract/temp-folder.js';
import { until } from '../e2e/workbench.js';

test('a holder whose main thread is blocked for longer than its time to live keeps its lease', async () => {
  const dir = tempFolder();
  const go = path.join(dir, 'go');
  const holder = fork(fileURLToPath(new URL('busy.mjs', import.meta.url)), { execArgv: [] });
  onTestFinished(() => void holder.kill('SIGKILL'));
  const held = once(holder, 'message');
  holder.send({ dir, until: go });
  await held;
  const counter = () => parseBeat(DISK.read(path.join(dir, 'job.d', '00000001.beat')))?.counter ?? 0;
  // A beat comes after each third of its time to live.
  await until(() => counter() >= 4);
  await expect(acquireLease('job', { dir, ttlMs: 3000 })).rejects.toMatchObject({ code: 'HELD' });
  const answer = once(holder, 'message');
  writeFileSync(go, '');
  const [{ isLost, trustedMs }] = await answer;
  expect([isLost, trustedMs > 0]).toEqual([false, true]);
});
