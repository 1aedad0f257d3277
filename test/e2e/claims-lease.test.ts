/** `jobnet lease`: one at a time on machines that share a folder, and what becomes of who comes late. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { createClaimsBench, STEERED } from './claims-bench.js';
import { isAlive, until } from './workbench.js';

const sh = (text: string) => ['sh', '-c', text];
const A = { host: 'host-a' };
const B = { host: 'host-b' };

describe('a lease in a script', () => {
  test('is a token that only grows, and 11 while it is renewed', async () => {
    const bench = createClaimsBench();
    const first = await bench.run(['lease', 'acquire', 'publish'], A);
    const held = await bench.run(['lease', 'acquire', 'publish'], B);
    await bench.run(['lease', 'release', 'publish', '--token', '1'], A);
    const second = await bench.run(['lease', 'acquire', 'publish'], B);
    expect([first, held, second]).toMatchObject([
      { code: 0, out: '1\n' },
      { code: 11, out: '' },
      { code: 0, out: '2\n' },
    ]);
    expect(held.err).toContain(`on host-a`);
    expect(held.err).toContain(path.join(bench.claims, 'publish.d'));
  });

  test('is renewed by its token; another than the highest is 12', async () => {
    const bench = createClaimsBench();
    for (const token of [1, 2]) {
      await bench.run(['lease', 'acquire', 'publish']);
      if (token === 1) await bench.run(['lease', 'release', 'publish', '--token', '1']);
    }
    const renewals = await Promise.all(
      ['1', '2', '3'].map((token) => bench.run(['lease', 'renew', 'publish', '--token', token])),
    );
    expect(renewals.map(({ code }) => code)).toEqual([12, 0, 12]);
    expect(renewals[0]!.err).toContain(path.join(bench.claims, 'publish.d'));
    expect((await bench.run(['lease', 'release', 'publish', '--token', '1'])).code).toBe(12);
  });

  test('has its folder from LEASE_DIR and its time from TTL_SEC, as old scripts do', async () => {
    const bench = createClaimsBench();
    const env = { LEASE_DIR: path.join(bench.folder, 'leases'), TTL_SEC: '77' };
    await bench.run(['lease', 'acquire', 'publish'], { env });
    expect(JSON.parse(bench.read('leases/publish.d/00000001')).ttlMs).toBe(77_000);
    expect(bench.read('leases/publish.token')).toBe('1\n');
  });

  test('whose time is over is watched for all of it, in words, and then had', async () => {
    const bench = createClaimsBench();
    await bench.run(['lease', 'acquire', 'publish', '--ttl', '3s'], { ...A, shiftMs: -3_600_000 });
    const next = await bench.run(['lease', 'acquire', 'publish', '--ttl', '3s'], B);
    expect([next.code, next.out]).toEqual([0, '2\n']);
    expect(next.err).toContain('watching publish for 3 s');
    expect((await bench.run(['lease', 'renew', 'publish', '--token', '1'], A)).code).toBe(12);
  });
});

describe('a command under a lease', () => {
  test.each([
    ['its own code', sh('exit 3'), { code: 3, signal: null }],
    ['its signal', sh('kill -TERM $$'), { signal: 'SIGTERM' }],
  ])('ends with %s', async (_, command, end) => {
    expect(await createClaimsBench().run(['lease', 'run', 'publish', '--', ...command])).toMatchObject(end);
  });

  test('knows its token, and reads the standard input', async () => {
    const bench = createClaimsBench();
    const command = sh('echo "$JOBNET_CLAIM $JOBNET_TOKEN"; cat');
    const { out } = await bench.run(['lease', 'run', 'publish', '--', ...command], { input: 'given' });
    expect(out).toBe('publish 1\ngiven');
  });

  test('gives it back: the next one need not wait', async () => {
    const bench = createClaimsBench();
    await bench.run(['lease', 'run', 'publish', '--', 'true'], A);
    const { code, err } = await bench.run(['lease', 'run', 'publish', '--', 'true'], B);
    expect([code, err]).toEqual([0, '']);
  });

  test('killed with its wrapper on this host: the next one has it at once', async () => {
    const bench = createClaimsBench();
    const holder = bench.start(['lease', 'run', 'publish', '--', ...sh('echo "up $$"; exec sleep 1000')]);
    const command = await holder.command();
    holder.child.kill('SIGKILL');
    process.kill(command, 'SIGKILL');
    await until(() => !isAlive(command) && !isAlive(holder.pid));
    const { code, err } = await bench.run(['lease', 'run', 'publish', '--', 'true']);
    expect([code, err]).toEqual([0, '']);
  });

  test('that does not end at TERM when the lease is broken is killed after the grace', async () => {
    const bench = createClaimsBench();
    const stubborn = sh('trap "" TERM; echo "up $$"; while :; do sleep 0.1; done');
    const holder = bench.start([
      'lease',
      'run',
      'publish',
      '--ttl',
      '6s',
      '--grace',
      '50ms',
      '--',
      ...stubborn,
    ]);
    const command = await holder.command();
    await bench.run(['lock', 'break', 'publish', '--reason', 'test']);
    expect([(await holder.ended).code, isAlive(command)]).toEqual([12, false]);
  });
});

describe('LOC-07: a holder that was stopped for longer than its time to live', () => {
  test('loses to a second host, is told, and its late write is refused', async () => {
    const bench = createClaimsBench();
    const late = sh(
      'trap "echo told" TERM; echo "up $$"; until read -r line; do :; done; echo old | "$0" "$1" fence write out.txt; echo "fence $?"',
    );
    const script = [...late, process.execPath, path.resolve('dist/cli/main.js')];
    const first = bench.start(
      ['lease', 'run', 'publish', '--ttl', '6s', '--grace', '20s', '--', ...script],
      A,
    );
    const command = await first.command();
    for (const pid of [first.pid, command]) process.kill(pid, 'SIGSTOP');
    await until(() => readStat(first.pid)?.life === 'frozen');
    const write = sh('echo new | "$0" "$1" fence write out.txt');
    const second = await bench.run(
      ['lease', 'run', 'publish', '--wait', '--', ...write, ...script.slice(-2)],
      B,
    );
    expect(second.code).toBe(0);
    for (const pid of [first.pid, command]) process.kill(pid, 'SIGCONT');
    await first.said('told');
    first.type('go');
    const end = await first.ended;
    expect([end.code, bench.read('out.txt')]).toEqual([12, 'new\n']);
    expect(end.out).toContain('fence 13');
    expect(end.err).toContain(path.join(bench.claims, 'publish.d'));
  });

  test('LOC-09: a holder keeps what it renews, for longer than its time to live', async () => {
    const bench = createClaimsBench();
    const holder = bench.start(['lease', 'run', 'publish', '--ttl', '6s', '--', ...STEERED], A);
    await holder.command();
    const beats = () => Number(/"counter":(\d+)/.exec(beat())?.[1] ?? 0);
    const beat = () =>
      bench.claim('publish').includes('00000001.beat') ? bench.read('claims/publish.d/00000001.beat') : '';
    await until(() => beats() >= 4);
    expect((await bench.run(['lease', 'run', 'publish', '--', 'true'], B)).code).toBe(11);
    holder.type('9');
    expect((await holder.ended).code).toBe(9);
  });
});

describe('LOC-06: who is no holder any more', () => {
  test("leaves the new holder's lease as it is", async () => {
    const bench = createClaimsBench();
    const first = bench.start(
      ['lease', 'run', 'publish', '--ttl', '6s', '--grace', '1s', '--', ...STEERED],
      A,
    );
    await first.command();
    await bench.run(['lock', 'break', 'publish', '--reason', 'test']);
    const second = bench.start(['lease', 'run', 'publish', '--', ...STEERED], B);
    await second.command();
    expect((await first.ended).code).toBe(12);
    const third = await bench.run(['lease', 'run', 'publish', '--', 'true'], { host: 'host-c' });
    second.type('0');
    expect([third.code, (await second.ended).code]).toEqual([11, 0]);
  });
});
