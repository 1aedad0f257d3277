/** Case LOG-01 of the field in its full size. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createBench, csvOf } from './workbench.js';

const GB = 1024 ** 3;
const BURST_BYTES = GB / 4;

test('LOG-01 a job that prints 5 GB ends with 0; its log is cut again and again, the controller stays small', async () => {
  const net = createBench(csvOf([['A']]));
  // It waits for each cut, so that the test needs little space however fast the machine is.
  net.script(
    'A',
    `#!/bin/sh
echo first
i=0
while [ $i -lt 20 ]; do
  yes 'a line of some length' | head -c ${BURST_BYTES}
  while [ "$(stat -L -c %s /proc/self/fd/2)" -gt ${BURST_BYTES / 2} ]; do sleep 0.1; done
  i=$((i+1))
done
echo last
`,
  );
  const usage = path.join(net.folder, 'usage');
  const hook = fileURLToPath(new URL('./usage.cjs', import.meta.url));
  const env = {
    NODE_OPTIONS: `--max-old-space-size=64 --require "${hook}"`,
    JOBNET_TEST_USAGE: usage,
  };
  const { code } = await net.startWith({ env }, 'start', '--log-max', '64M').finished;
  expect(code).toBe(0);
  const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const name = readdirSync(runs, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith('.log'))!;
  const { size } = statSync(path.join(runs, name));
  const log = readFileSync(path.join(runs, name), 'latin1');
  const dropped = Number(/\[jobnet\] (\d+) bytes dropped here/.exec(log)?.[1]);
  expect(log.match(/\[jobnet\]/g)).toHaveLength(1);
  expect(log.startsWith('first\n')).toBe(true);
  expect(log.endsWith('\nlast\n')).toBe(true);
  expect(size).toBeLessThan(2 * 1024 * 1024);
  const note = /\[jobnet\].*\n/.exec(log)![0];
  // What is printed at the very moment of a cut is dropped without being counted.
  const printed = size - note.length + dropped;
  expect(printed).toBeLessThanOrEqual(5 * GB + 'first\nlast\n'.length);
  expect(printed).toBeGreaterThan(4.9 * GB);
  expect(JSON.parse(readFileSync(usage, 'utf8')).peakBytes).toBeLessThan(160_000_000);
});
