/** Other hosts for real, as far as one machine can be several: processes in pid and UTS namespaces of their own. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { type ClaimsBench, createClaimsBench, STEERED, type Started } from '../e2e/claims-bench.js';
import { until } from '../e2e/workbench.js';

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--uts', '--mount-proc'];
const IS_PERMITTED = spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), 'true']).status === 0;

/** The command as process 1 of a container with this host name. */
function inside(bench: ClaimsBench, host: string, args: readonly string[]): Started {
  const script = 'echo "$0" >/proc/sys/kernel/hostname; exec "$@"';
  return bench.startProgram([...UNSHARE, 'sh', '-c', script, host, process.execPath, bench.main, ...args]);
}

/** The process 1 of a container, as it is called outside. */
async function firstOf({ pid }: Started): Promise<number> {
  const children = `/proc/${pid}/task/${pid}/children`;
  return await until(() => Number(readFileSync(children, 'latin1').trim().split(' ')[0]));
}

test.runIf(process.env['CI'])('namespaces are permitted where every test has to run', () => {
  expect(IS_PERMITTED).toBe(true);
});

describe.skipIf(!IS_PERMITTED)('containers on one volume (skipped where unshare is not permitted)', () => {
  test('LOC-03: a lock that is held outside is held inside, where its process cannot be seen', async () => {
    const bench = createClaimsBench();
    const holder = bench.start(['lock', 'run', 'job', '--', ...STEERED]);
    await holder.command();
    const { code, err } = await inside(bench, 'def', ['lock', 'run', 'job', '-n', '--', 'true']).ended;
    expect([code, err.includes('out of sight')]).toEqual([11, true]);
  });

  test('LOC-03: two at once, both process 1: one holds', async () => {
    const bench = createClaimsBench();
    const first = inside(bench, 'abc', ['lock', 'run', 'job', '--', ...STEERED]);
    await first.command();
    expect(JSON.parse(bench.read('claims/job.d/00000001'))).toMatchObject({ pid: 1, host: 'abc' });
    const args = ['lock', 'run', 'job', '-n', '--', 'true'];
    const others = await Promise.all(['abc', 'def'].map((host) => inside(bench, host, args).ended));
    first.type('3');
    expect([...others.map(({ code }) => code), (await first.ended).code]).toEqual([11, 11, 3]);
  });

  test('LOC-03: one that is killed and started again has the lease after its time to live', async () => {
    const bench = createClaimsBench();
    const first = inside(bench, 'abc', ['lease', 'run', 'job', '--ttl', '3s', '--', ...STEERED]);
    await first.command();
    process.kill(await firstOf(first), 'SIGKILL');
    await first.ended;
    const args = ['lease', 'run', 'job', '--ttl', '3s', '--wait', '--', 'sh', '-c', 'echo $JOBNET_TOKEN'];
    const { code, out } = await inside(bench, 'abc', args).ended;
    expect([code, out]).toEqual([0, '2\n']);
  });

  test('LOC-07: one that is paused loses the lease to another, is told, and touches nothing', async () => {
    const bench = createClaimsBench();
    const first = inside(bench, 'abc', [
      'lease',
      'run',
      'job',
      '--ttl',
      '3s',
      '--grace',
      '1s',
      '--',
      ...STEERED,
    ]);
    await first.command();
    const pid = await firstOf(first);
    process.kill(pid, 'SIGSTOP');
    await until(() => readStat(pid)?.life === 'frozen');
    const second = inside(bench, 'def', ['lease', 'run', 'job', '--wait', '--', ...STEERED]);
    await second.command();
    process.kill(pid, 'SIGCONT');
    expect((await first.ended).code).toBe(12);
    const third = await inside(bench, 'ghi', ['lease', 'acquire', 'job']).ended;
    second.type('5');
    expect([third.code, (await second.ended).code]).toEqual([11, 5]);
    expect(bench.claim('job')).not.toContain('00000001.released');
  });
});
