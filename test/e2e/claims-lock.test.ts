/** `jobnet lock run`: one at a time, whatever becomes of the wrapper and its command. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { createClaimsBench, kill, STEERED } from './claims-bench.js';
import { isAlive, until } from './workbench.js';

const sh = (text: string) => ['sh', '-c', text];

describe('the end of a command under a lock', () => {
  test.each([
    ['its own code', sh('exit 3'), 3],
    ['a code that is one of ours', sh('exit 11'), 11],
    ['127 where there is no such command', ['./none'], 127],
    ['126 where it is no program', ['./plain'], 126],
  ])('is %s', async (_, command, code) => {
    const bench = createClaimsBench();
    bench.file('plain', 'text');
    expect(await bench.run(['lock', 'run', 'job', '--', ...command])).toMatchObject({ code, signal: null });
  });

  test('by a signal is an end by that signal', async () => {
    const { signal } = await createClaimsBench().run(['lock', 'run', 'job', '--', ...sh('kill -TERM $$')]);
    expect(signal).toBe('SIGTERM');
  });

  test('gives the lock back, also after a failure', async () => {
    const bench = createClaimsBench();
    await bench.run(['lock', 'run', 'job', '--', ...sh('exit 3')]);
    expect((await bench.run(['lock', 'run', 'job', '-n', '--', 'true'])).code).toBe(0);
    expect(bench.claim('job')).toContain('00000002.released');
  });
});

describe('a command under a lock', () => {
  test('reads the standard input to its end, as it was given', async () => {
    const input = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256));
    const bench = createClaimsBench();
    await bench.run(['lock', 'run', 'job', '--', ...sh('cat >copy')], { input });
    const { out } = await bench.run(['lock', 'run', 'job', '--', 'cksum', 'copy']);
    bench.file('given', '');
    await bench.run(['lock', 'run', 'job', '--', ...sh('cat >given')], { input });
    expect(out.split(' ')[1]).toBe(String(input.length));
  });

  test('knows the name and number of its claim', async () => {
    const bench = createClaimsBench();
    const { out } = await bench.run([
      'lock',
      'run',
      'job',
      '--',
      ...sh('echo "$JOBNET_CLAIM $JOBNET_TOKEN"'),
    ]);
    expect(out).toBe('job 1\n');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('gets %s with its whole group', async (signal) => {
    const bench = createClaimsBench();
    const inner = 'trap "echo inner; exit" TERM INT; echo ready; sleep 1000 >/dev/null 2>&1 & wait';
    bench.file('inner.sh', inner);
    const outer = 'trap "echo outer" TERM INT; sh inner.sh; exit 7';
    const running = bench.start(['lock', 'run', 'job', '--', ...sh(outer)]);
    await running.said('ready');
    running.child.kill(signal);
    const { code, out } = await running.ended;
    expect([code, out.split('\n').filter(Boolean).sort()]).toEqual([7, ['inner', 'outer', 'ready']]);
  });
});

describe('a lock that is held', () => {
  async function held(...args: string[]) {
    const bench = createClaimsBench();
    const holder = bench.start(['lock', 'run', 'job', '--', ...STEERED]);
    await holder.command();
    return { bench, holder, ...(await bench.run(['lock', 'run', 'job', ...args, '--', 'true'])) };
  }

  test('LOC-05: is 11 with -n, and who holds it since when, and in which folder', async () => {
    const { bench, code, err, holder } = await held('-n');
    expect(code).toBe(11);
    expect(err).toContain(`job is held by process ${holder.pid} on `);
    expect(err).toMatch(/since \d{4}\/\d\d\/\d\d/);
    expect(err).toContain(path.join(bench.claims, 'job.d'));
  });

  test.each([
    [['-n', '-E', '0'], 0],
    [['-w', '50ms'], 11],
    [['-w', '50ms', '-E', '75'], 75],
  ])('LOC-05: with %j is exit %i', async (args, code) => {
    expect((await held(...args)).code).toBe(code);
  });

  test('is waited for, in words, and had when its holder ends', async () => {
    const bench = createClaimsBench();
    const holder = bench.start(['lock', 'run', 'job', '--', ...STEERED]);
    await holder.command();
    const next = bench.start(['lock', 'run', 'job', '--', ...sh('exit 5')]);
    await next.said(`waiting for job: process ${holder.pid}`);
    holder.type('0');
    expect([(await holder.ended).code, (await next.ended).code]).toEqual([0, 5]);
  });

  test('is another name away from being free', async () => {
    const { bench } = await held('-n');
    expect((await bench.run(['lock', 'run', 'other', '-n', '--', 'true'])).code).toBe(0);
  });

  test('LOC-07: stays with a holder that is stopped, and the list says so', async () => {
    const bench = createClaimsBench();
    const holder = bench.start(['lock', 'run', 'job', '--', ...STEERED]);
    await holder.command();
    holder.child.kill('SIGSTOP');
    await until(() => readStat(holder.pid)?.life === 'frozen');
    const next = await bench.run(['lock', 'run', 'job', '-n', '--', 'true']);
    const { out } = await bench.run(['lock', 'list', '--json']);
    expect([next.code, JSON.parse(out)[0].state]).toEqual([11, 'stopped']);
    holder.child.kill('SIGCONT');
    holder.type('4');
    expect((await holder.ended).code).toBe(4);
  });
});

describe('a wrapper that is killed with -9', () => {
  async function killedWrapper() {
    const bench = createClaimsBench();
    const holder = bench.start(['lock', 'run', 'job', '--', ...sh('echo "up $$"; exec sleep 1000')]);
    const command = await holder.command();
    await kill(holder);
    return { bench, command };
  }

  test('holds on while its command lives, and the list says so', async () => {
    const { bench, command } = await killedWrapper();
    const { code, err } = await bench.run(['lock', 'run', 'job', '-n', '--', 'true']);
    const { out } = await bench.run(['lock', 'list', '--json']);
    expect([isAlive(command), code, JSON.parse(out)[0].state]).toEqual([true, 11, 'command']);
    expect(err).toContain('the command of process');
  });

  test('with its command: the next start has the lock at once', async () => {
    const { bench, command } = await killedWrapper();
    process.kill(command, 'SIGKILL');
    await until(() => !isAlive(command));
    const { code, out } = await bench.run(['lock', 'run', 'job', '-n', '--', ...sh('echo $JOBNET_TOKEN')]);
    expect([code, out]).toEqual([0, '2\n']);
  });
});

test('LOC-03: the dead holder of another host counts as alive here, and is over at its own', async () => {
  const bench = createClaimsBench();
  const holder = bench.start(['lock', 'run', 'job', '--', 'sh', '-c', 'echo up $$; exec cat'], {
    host: 'abc',
  });
  const command = await holder.command();
  await kill(holder);
  await until(() => !isAlive(command));
  const there = await bench.run(['lock', 'run', 'job', '-n', '--', 'true'], { host: 'def' });
  const here = await bench.run(['lock', 'run', 'job', '-n', '--', 'true'], { host: 'abc' });
  expect([there.code, there.err.includes('on abc, out of sight'), here.code]).toEqual([11, true, 0]);
});

describe('a folder or a name that cannot be used', () => {
  test.each(['a/b', '-x'])('name %j is exit 2', async (name) => {
    const { code } = await createClaimsBench().run(['lock', 'run', '--', name, 'true']);
    expect(code).toBe(2);
  });

  test('LOC-04: a claim that is damaged is exit 4 and names the file', async () => {
    const bench = createClaimsBench();
    mkdirSync(path.join(bench.claims, 'job.d'), { recursive: true });
    bench.file('claims/job.d/00000001', '12 34');
    const { code, err } = await bench.run(['lock', 'run', 'job', '-n', '--', 'true']);
    expect([code, err.includes(path.join(bench.claims, 'job.d/00000001'))]).toEqual([4, true]);
  });

  test('a file in its place is exit 4 and names it', async () => {
    const bench = createClaimsBench();
    bench.file('claims', '');
    const { code, err } = await bench.run(['lock', 'run', 'job', '-n', '--', 'true']);
    expect([code, err]).toEqual([4, `${bench.claims} cannot be used (EEXIST)\n`]);
  });

  test('no command is exit 2', async () => {
    expect((await createClaimsBench().run(['lock', 'run', 'job'])).code).toBe(2);
  });
});
