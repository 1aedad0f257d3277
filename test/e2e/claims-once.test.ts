/** `jobnet once`: what was begun for a key is not begun again by itself. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClaimsBench, kill, type StartOptions } from './claims-bench.js';
import { isAlive, until } from './workbench.js';

const sh = (text: string) => ['sh', '-c', text];
const NOTED = sh('echo ran >>ran.txt');
const FAILING = sh('echo ran >>ran.txt; exit 3');

/** How often the command ran. */
const runs = (bench: { folder: string; read(name: string): string }) =>
  existsSync(path.join(bench.folder, 'ran.txt')) ? bench.read('ran.txt').split('\n').length - 1 : 0;

/** A moment as what must be added to now. */
const at = (iso: string): StartOptions => ({ shiftMs: Date.parse(iso) - Date.now() });
const TOKYO: StartOptions = { env: { TZ: 'Asia/Tokyo' } };

describe('a job that is done once a day', () => {
  test('runs once of 30 starts at the same time', async () => {
    const bench = createClaimsBench();
    const ends = await Promise.all(
      Array.from({ length: 30 }, () => bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED])),
    );
    const codes = new Set(ends.map(({ code }) => code));
    expect([runs(bench), [...codes].filter((code) => code !== 0 && code !== 11)]).toEqual([1, []]);
  });

  test('is not started again, in words that name key, end and folder', async () => {
    const bench = createClaimsBench();
    const first = await bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED]);
    const second = await bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED]);
    expect([first.code, second.code, runs(bench)]).toEqual([0, 0, 1]);
    expect(second.err).toMatch(/^publish k: done already at \S+ \S+ \(exit 0\); nothing is started/);
    expect(second.err).toContain(path.join(bench.claims, 'publish@k.d'));
  });

  test('is 11 while it runs', async () => {
    const bench = createClaimsBench();
    const first = bench.start(['once', 'publish', '--key', 'k', '--', ...sh('echo up $$; read -r code')]);
    await first.command();
    const { code, err } = await bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED]);
    expect([code, err.includes(path.join(bench.claims, 'publish@k.d'))]).toEqual([11, true]);
  });

  test('ends as its command ends', async () => {
    const bench = createClaimsBench();
    const failed = await bench.run(['once', 'publish', '--key', 'k', '--', ...FAILING]);
    const killed = await bench.run(['once', 'other', '--key', 'k', '--', ...sh('kill -TERM $$')]);
    expect([failed.code, killed.signal]).toEqual([3, 'SIGTERM']);
  });
});

describe('a failed one', () => {
  test.each([
    ['with a code', FAILING, 'exit 3'],
    ['by a signal', sh('echo ran >>ran.txt; kill -KILL $$'), 'signal SIGKILL'],
  ])('%s is not started again, unless --again-if-failed', async (_, command, end) => {
    const bench = createClaimsBench();
    const once = (...args: string[]) =>
      bench.run(['once', 'publish', '--key', 'k', ...args, '--', ...command]);
    await once();
    const again = await once();
    expect([again.code, again.err.includes(end), runs(bench)]).toEqual([0, true, 1]);
    await once('--again-if-failed');
    expect(runs(bench)).toBe(2);
  });

  test('--again-if-failed does not start one that went well', async () => {
    const bench = createClaimsBench();
    for (let round = 0; round < 2; round++)
      await bench.run(['once', 'publish', '--again-if-failed', '--key', 'k', '--', ...NOTED]);
    expect(runs(bench)).toBe(1);
  });
});

describe('SCH-07: one that was killed with -9 after it had begun', () => {
  async function lost() {
    const bench = createClaimsBench();
    const command = sh('echo ran >>ran.txt; echo "up $$"; exec sleep 1000 >/dev/null 2>&1');
    const first = bench.start(['once', 'publish', '--key', 'k', '--', ...command]);
    const pid = await first.command();
    await kill(first);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    return bench;
  }

  test('is 6 and says what to do, unless --again-if-lost', async () => {
    const bench = await lost();
    const second = await bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED]);
    expect([second.code, runs(bench)]).toEqual([6, 1]);
    expect(second.err).toContain('--again-if-lost');
    expect(second.err).toContain(path.join(bench.claims, 'publish@k.d'));
    const third = await bench.run(['once', 'publish', '--key', 'k', '--again-if-lost', '--', ...NOTED]);
    expect([third.code, runs(bench)]).toEqual([0, 2]);
  });

  test('is free again after "forget", which says who and why', async () => {
    const bench = await lost();
    const forgotten = await bench.run([
      'once',
      'forget',
      'publish',
      '--key',
      'k',
      '--reason',
      'looked at it',
    ]);
    expect(forgotten.code).toBe(0);
    expect(bench.read('claims/publish@k.d/00000001.released')).toContain('"reason":"looked at it"');
    await bench.run(['once', 'publish', '--key', 'k', '--', ...NOTED]);
    expect(runs(bench)).toBe(2);
  });

  test('"forget" of what was never begun is 6', async () => {
    const bench = createClaimsBench();
    const { code, err } = await bench.run(['once', 'forget', 'publish', '--key', 'k', '--reason', 'x']);
    expect([code, err.includes(path.join(bench.claims, 'publish@k.d'))]).toEqual([6, true]);
  });
});

describe('SCH-07: whose day', () => {
  const key = async (args: string[], options: StartOptions) => {
    const { err } = await createClaimsBench().run(['once', 'publish', ...args, '--', 'true'], options);
    return /^publish (\S+): begins/.exec(err)?.[1];
  };

  test.each([
    ['02:00 in Tokyo is that day there', [], '2026-01-01T17:00:00Z', '2026-01-02'],
    ['08:59 in Tokyo as well', [], '2026-01-01T23:59:00Z', '2026-01-02'],
    ['23:59 in Tokyo as well', [], '2026-01-02T14:59:00Z', '2026-01-02'],
    ['another zone has its own day', ['--zone', 'Europe/Berlin'], '2026-01-01T17:00:00Z', '2026-01-01'],
    ['the hour', ['--per', 'hour'], '2026-01-01T17:30:00Z', '2026-01-02T02+0900'],
    ['the week', ['--per', 'week'], '2026-01-01T17:00:00Z', '2026-W01'],
    ['the month', ['--per', 'month'], '2026-01-31T17:00:00Z', '2026-02'],
  ])('%s', async (_, args, iso, expected) => {
    expect(await key(args, { ...at(iso), ...TOKYO })).toBe(expected);
  });

  test('02:00 and 10:00 of one day are one key, and the next day is another', async () => {
    const bench = createClaimsBench();
    for (const iso of ['2026-01-01T17:00:00Z', '2026-01-02T01:00:00Z', '2026-01-02T15:01:00Z'])
      await bench.run(['once', 'publish', '--', ...NOTED], { ...at(iso), ...TOKYO });
    expect(runs(bench)).toBe(2);
  });

  test('a run across midnight ends under the key that it began with', async () => {
    const bench = createClaimsBench();
    const clock = bench.file('clock', '2026-01-02T14:59:00Z');
    const command = sh('echo "up $$"; read -r code');
    const night = bench.start(['once', 'publish', '--', ...command], { clock, ...TOKYO });
    await night.command();
    bench.file('clock', '2026-01-02T15:10:00Z');
    night.type('0');
    await night.ended;
    const done = JSON.parse(bench.read('claims/publish@2026-01-02.d/00000001.done'));
    expect(done.endedAt).toBe(Date.parse('2026-01-02T15:10:00Z'));
    expect(bench.claim('publish@2026-01-03')).toEqual([]);
  });

  test('a zone that does not exist is exit 2', async () => {
    const { code } = await createClaimsBench().run([
      'once',
      'publish',
      '--zone',
      'Asia/Nowhere',
      '--',
      'true',
    ]);
    expect(code).toBe(2);
  });
});

describe('ends of keys that are not current', () => {
  const DAY_MS = 86_400_000;

  test('are kept for seven days, and then tidied away', async () => {
    const bench = createClaimsBench();
    const day = (days: number) =>
      bench.run(['once', 'publish', '--key', `day${days}`, '--', 'true'], { shiftMs: days * DAY_MS });
    await day(0);
    await day(6);
    const kept = bench.claim('publish@day0').length;
    await day(8);
    expect([kept > 0, bench.claim('publish@day0'), bench.claim('publish@day6').length > 0]).toEqual([
      true,
      [],
      true,
    ]);
  });

  test('are kept as long as --keep says', async () => {
    const bench = createClaimsBench();
    await bench.run(['once', 'publish', '--key', 'a', '--', 'true']);
    await bench.run(['once', 'publish', '--key', 'b', '--keep', '1h', '--', 'true'], {
      shiftMs: 2 * 3_600_000,
    });
    expect(bench.claim('publish@a')).toEqual([]);
  });
});
