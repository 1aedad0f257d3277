/** Loaded before the command: it believes to be on another host, after another boot, or at another time. */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const os = require('node:os');

const { readFileSync } = fs;
const {
  JOBNET_TEST_HOST: host,
  JOBNET_TEST_BOOT: boot,
  JOBNET_TEST_SHIFT_MS: shift,
  JOBNET_TEST_CLOCK: clock,
} = process.env;
if (host) os.hostname = () => host;
if (boot) {
  fs.readFileSync = (file, ...options) =>
    file === '/proc/sys/kernel/random/boot_id' ? `${boot}\n` : readFileSync(file, ...options);
}
if (shift) {
  const { now } = Date;
  Date.now = () => now() + Number(shift);
}
// What time it is stands in a file that the test writes.
if (clock) Date.now = () => Date.parse(readFileSync(clock, 'utf8'));
syncBuiltinESMExports();
