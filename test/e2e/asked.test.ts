/** The question that resume asks on a terminal before it runs a lost job again. */
import { expect, test } from 'vitest';
import { findProgram } from '../executor/support.js';
import { createBench, until } from './workbench.js';

const LOST = 'job,status,stime,etime,prev1\nA,2,,,\nB,9,,,A\n';

const needsScript = test.skipIf(!findProgram('script') && !process.env['CI']);

needsScript.each([
  ['y', 0, ['A', 'B']],
  ['n', 1, []],
  ['', 1, []],
])('STA-03: "%s" ends with %i (needs script of util-linux)', async (answer, code, effects) => {
  const net = createBench(LOST, { jobs: ['A', 'B'] });
  const resumed = net.terminal('resume');
  await resumed.said('Nobody knows how 1 job ended. Run it again? [y/N]');
  resumed.type(`${answer}\n`);
  expect((await resumed.finished).code).toBe(code);
  expect(net.effects()).toEqual(effects);
});

needsScript('Ctrl-C ends it before anything is started (needs script of util-linux)', async () => {
  const net = createBench(LOST, { jobs: ['A', 'B'] });
  const resumed = net.terminal('resume');
  await resumed.said('[y/N]');
  resumed.type('\x03');
  expect((await resumed.finished).code).toBe(130);
  expect(net.effects()).toEqual([]);
  await until(() => net.statusJson().controller === null);
});
