/** Loaded before the command: it believes to be on another host, or at another time. */
const { readFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const os = require('node:os');

const { JOBNET_TEST_HOST: host, JOBNET_TEST_SHIFT_MS: shift, JOBNET_TEST_CLOCK: clock } = process.env;
if (host) os.hostname = () => host;
if (shift) {
  const { now } = Date;
  Date.now = () => now() + Number(shift);
}
// What time it is stands in a file that the test writes.
if (clock) Date.now = () => Date.parse(readFileSync(clock, 'utf8'));
syncBuiltinESMExports();
