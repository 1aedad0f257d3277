// Loaded before the command by NODE_OPTIONS: notes at its end how much memory it had at most, and how much it has read.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const io = existsSync('/proc/self/io') ? readFileSync('/proc/self/io', 'latin1') : '';
  const usage = {
    peakBytes: process.resourceUsage().maxRSS * 1024,
    readBytes: Number(/^rchar: (\d+)/m.exec(io)?.[1] ?? 0),
  };
  writeFileSync(process.env.JOBNET_TEST_USAGE, JSON.stringify(usage));
});
