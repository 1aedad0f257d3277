/**
 * One of many processes that want the same claim. For each folder that it is sent it tries until it has held the
 * claim once, says in the folder's log when that began and ended, releases it, and answers with its number.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { acquireClaim } from '../../dist/claim/claim.js';

process.on('message', ({ folder, log }) => {
  for (;;) {
    const acquired = acquireClaim(folder, 0);
    if (acquired.kind === 'busy') continue;
    hold(acquired.claim, log);
    process.send({ number: acquired.claim.number });
    return;
  }
});

function hold(claim, log) {
  const fd = openSync(log, 'a');
  writeSync(fd, `begin ${claim.number}\n`);
  // Long enough for others to look at a claim that is held.
  for (let look = 0; look < 20; look++) claim.highest();
  writeSync(fd, `end ${claim.number}\n`);
  closeSync(fd);
  claim.release();
}
