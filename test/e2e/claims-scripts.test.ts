/** Leases and fences beside old scripts that keep NAME.lease, NAME.token and TARGET.fence. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { walk } from '../race/halting.js';
import { writeScriptFenced } from '../race/recipes/fenced-write.js';
import { acquireScriptLease, readLease, renewScriptLease } from '../race/recipes/lease.js';
import { createClaimsBench, STEERED } from './claims-bench.js';

const seconds = () => Math.floor(Date.now() / 1000);

function bench() {
  const created = createClaimsBench();
  const folder = created.folder;
  const env = { LEASE_DIR: folder };
  return {
    ...created,
    jobnet: (...args: string[]) => created.run(args, { env }),
    begin: (...args: string[]) => created.start(args, { env }),
    script: { folder, holder: 'script-1', ttlS: 120, clock: seconds },
  };
}

describe("an old script's lease", () => {
  test('is honoured while it has time left: 11, naming its holder and the folder', async () => {
    const { jobnet, script, folder } = bench();
    walk(acquireScriptLease(script)).end();
    const { code, err } = await jobnet('lease', 'acquire', 'job');
    expect(code).toBe(11);
    expect(err).toContain("held by script-1, an old script's lease");
    expect(err).toContain(path.join(folder, 'job.d'));
  });

  test('that is over gives way to a token above its own', async () => {
    const { jobnet, script, folder } = bench();
    const past = { ...script, clock: () => seconds() - 1000 };
    const tokens = Array.from({ length: 3 }, () => walk(acquireScriptLease({ ...past, ttlS: 0 })).end());
    const { code, out } = await jobnet('lease', 'acquire', 'job');
    expect([tokens, code, out, readLease(folder)?.token]).toEqual([[1, 2, 3], 0, '4\n', 4]);
  });
});

describe('our lease', () => {
  test('is honoured by an old script, and given to it after the release', async () => {
    const { jobnet, script } = bench();
    await jobnet('lease', 'acquire', 'job');
    const held = walk(acquireScriptLease(script)).end();
    await jobnet('lease', 'release', 'job', '--token', '1');
    const later = { ...script, clock: () => seconds() + 1 };
    expect([held, walk(acquireScriptLease(later)).end()]).toEqual([null, 2]);
  });

  test('is lost when an old script writes over it: renew is 12', async () => {
    const { jobnet, script } = bench();
    await jobnet('lease', 'acquire', 'job');
    walk(acquireScriptLease({ ...script, clock: () => seconds() + 1000 })).end();
    expect((await jobnet('lease', 'renew', 'job', '--token', '1')).code).toBe(12);
  });

  test('is lost when an old script writes over it: lease run ends its command and is 12', async () => {
    const { begin, script, folder } = bench();
    const holder = begin('lease', 'run', 'job', '--ttl', '6s', '--grace', '1s', '--', ...STEERED);
    await holder.command();
    const ahead = { ...script, clock: () => seconds() + 1000 };
    const token = walk(acquireScriptLease(ahead)).end()!;
    expect((await holder.ended).code).toBe(12);
    expect([walk(renewScriptLease(ahead, token)).end(), readLease(folder)?.holder]).toEqual([
      true,
      'script-1',
    ]);
  });
});

describe('TARGET.fence', () => {
  test('of an old script is honoured: 13', async () => {
    const { jobnet, folder, read } = bench();
    walk(writeScriptFenced(path.join(folder, 'out.txt'), 5, 'script')).end();
    expect([(await jobnet('fence', 'write', 'out.txt', '--token', '4')).code, read('out.txt')]).toEqual([
      13,
      'script',
    ]);
  });

  test('of ours is honoured by an old script', async () => {
    const { jobnet, folder, read } = bench();
    await jobnet('fence', 'write', 'out.txt', '--token', '6');
    const late = walk(writeScriptFenced(path.join(folder, 'out.txt'), 5, 'script')).end();
    expect([late, read('out.txt')]).toEqual(['refused', '']);
  });
});
