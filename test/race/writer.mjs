/**
 * One of many processes that write one file under rising tokens, with pauses of chance between their operations. It
 * notes in the log what it tries (`t TOKEN`), and what came of it: `w TOKEN` written, `r TOKEN HIGHEST` refused.
 */
import { appendFileSync } from 'node:fs';
import { DISK } from '../../dist/claim/disk.js';
import { FenceRefused } from '../../dist/claim/errors.js';
import { fencedWrite } from '../../dist/claim/fence.js';
import { seeded } from './chance.mjs';

/** Long enough to be read in pieces, if it could be. */
const FILLING = 'x'.repeat(20_000);
const clock = new Int32Array(new SharedArrayBuffer(4));

process.on('message', async ({ target, log, from, count, seed }) => {
  const random = seeded(seed);
  const pausing =
    (operation) =>
    (...args) => {
      if (random() < 0.2) Atomics.wait(clock, 0, 0, random() * 4);
      return operation(...args);
    };
  const files = { ...DISK, link: pausing(DISK.link), rename: pausing(DISK.rename), list: pausing(DISK.list) };
  for (let at = from; at < count; at++) {
    const token = 1 + at * 4 + Math.floor(random() * 40);
    appendFileSync(log, `t ${token}\n`);
    appendFileSync(log, `${await write(target, token, files)}\n`);
    process.send({ next: at + 1 });
  }
  process.disconnect();
});

async function write(target, token, files) {
  try {
    await fencedWrite(target, token, `${token} ${FILLING} ${token}`, files);
    return `w ${token}`;
  } catch (error) {
    return error instanceof FenceRefused ? `r ${token} ${error.highest}` : `e ${token} ${error.message}`;
  }
}
