/** Holds a lease and blocks its main thread until the file appears; then says whether it still holds. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease } from '../../dist/claim/held-lease.js';

const clock = new Int32Array(new SharedArrayBuffer(4));

process.on('message', async ({ dir, until }) => {
  const lease = await acquireLease('job', { dir, ttlMs: 6000 });
  process.send('held');
  // The message leaves this process in a later turn.
  setImmediate(async () => {
    while (!existsSync(until)) Atomics.wait(clock, 0, 0, 50);
    const trustedMs = lease.trustedMs();
    // Timers that were due all the while come first.
    await sleep(1);
    process.send({ isLost: lease.signal.aborted, trustedMs });
    await lease.release();
    process.disconnect();
  });
});
