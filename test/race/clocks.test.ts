/** Clocks of hosts that differ, jump and stand still: nobody takes what is renewed, everybody gets what is not. */
import { describe, expect, test } from 'vitest';
import { passedSince } from '../../src/claim/clock.js';
import { beat, trustOf } from '../../src/claim/lease-steps.js';
import { type Moment, runSteps } from '../../src/claim/steps.js';
import { tempFolder } from '../contract/temp-folder.js';
import { walk } from './halting.js';
import { candidate, createHost, type Host } from './ours.js';
import { acquireScriptLease, renewScriptLease } from './recipes/lease.js';

const TTL_MS = 9000;
const HOUR_MS = 3_600_000;
const NOON = 1_700_000_000_000;

/** The clock of another host, in milliseconds against that of the holder. */
const SKEWS = [
  ['agrees', 0],
  ['is 3 minutes ahead', 180_000],
  ['is an hour ahead', HOUR_MS],
  ['is an hour behind', -HOUR_MS],
  ['is a day behind', -24 * HOUR_MS],
] as const;

/** Host a holds a lease; host b, with another clock, wants it. */
function twoHosts(skewMs: number, ttls = { a: TTL_MS, b: TTL_MS }) {
  const claims = tempFolder();
  const [a, b] = [createHost(NOON), createHost(NOON + skewMs)];
  const won = runSteps(candidate(claims, ttls.a, { host: 'a' }).look(), a.files);
  if (won.kind !== 'held') throw new Error(won.kind);
  const wanting = candidate(claims, ttls.b, { host: 'b' });
  return {
    a,
    b,
    since: won.since,
    renew: () => runSteps(beat(claims, 1, ttls.a), a.files),
    look: () => runSteps(wanting.look(), b.files).kind,
  };
}

function passFor(hosts: readonly Host[], ms: number): void {
  for (const host of hosts) host.pass(ms);
}

const trusted = (ttlMs: number, since: Moment, host: Host) =>
  passedSince(since, host.files.now()) < trustOf(ttlMs);

describe('LOC-08: the recipe judges by the clock of whoever wrote', () => {
  test('a host that is ahead takes a lease that is renewed', () => {
    const folder = tempFolder();
    const a = { folder, holder: 'a', ttlS: 120, clock: () => 1000 };
    const b = { folder, holder: 'b', ttlS: 120, clock: () => 1000 + 3600 };
    walk(acquireScriptLease(a)).end();
    const isRenewed = walk(renewScriptLease(a, 1)).end();
    expect([isRenewed, walk(acquireScriptLease(b)).end()]).toEqual([true, 2]);
  });

  test('nobody may begin for an hour after a clock was set back by one', () => {
    const folder = tempFolder();
    const at = { s: 10_000 };
    const script = (holder: string) => ({ folder, holder, ttlS: 120, clock: () => at.s });
    walk(acquireScriptLease(script('a'))).end();
    at.s -= 3600;
    const tries = Array.from({ length: 30 }, () => {
      at.s += 120;
      return walk(acquireScriptLease(script('b'))).end();
    });
    expect(new Set(tries)).toEqual(new Set([null]));
  });
});

describe.each(SKEWS)('LOC-08: a host whose clock %s', (_, skewMs) => {
  test('never takes a lease that is renewed', () => {
    const { a, b, renew, look } = twoHosts(skewMs);
    const seen = Array.from({ length: 12 }, () => {
      passFor([a, b], TTL_MS / 3);
      return [renew() !== null, look()];
    });
    expect(seen).toEqual(Array(12).fill([true, 'watching']));
  });

  test('takes one that is not renewed after its whole time to live, and not sooner', () => {
    const { a, b, look } = twoHosts(skewMs);
    const seen = [0, TTL_MS - 1, 1].map((ms) => {
      passFor([a, b], ms);
      return look();
    });
    expect(seen).toEqual(['watching', 'watching', 'held']);
  });
});

describe('LOC-08: a clock that jumps', () => {
  test.each([HOUR_MS, -HOUR_MS])('by %i ms, again and again, on both hosts decides nothing', (jumpMs) => {
    const { a, b, renew, look } = twoHosts(0);
    const renewed = Array.from({ length: 6 }, () => {
      a.jump(jumpMs);
      b.jump(-jumpMs);
      passFor([a, b], TTL_MS / 3);
      return [renew() !== null, look()];
    });
    b.jump(jumpMs);
    passFor([a, b], TTL_MS - 1);
    const early = look();
    b.jump(-jumpMs);
    b.pass(1);
    expect([renewed, early, look()]).toEqual([Array(6).fill([true, 'watching']), 'watching', 'held']);
  });
});

describe('hosts with different times to live', () => {
  test.each([
    ['a short one of its own does not shorten the watch', { a: 9000, b: 3000 }],
    ['a long one of its own does not lengthen it', { a: 3000, b: 9000 }],
  ])('%s', (_, ttls) => {
    const { b, look } = twoHosts(0, ttls);
    const seen = [0, ttls.a - 1, 1].map((ms) => {
      b.pass(ms);
      return look();
    });
    expect(seen).toEqual(['watching', 'watching', 'held']);
  });
});

describe('LOC-07: a holder whose machine sleeps, or who is paused', () => {
  test('has no trust left when another can hold', () => {
    const { a, b, since, look } = twoHosts(0);
    look();
    // Asleep for the holder; the other one's clock goes a tenth faster.
    a.sleep(TTL_MS * 0.91);
    b.pass(TTL_MS);
    expect([look(), trusted(TTL_MS, since, a)]).toEqual(['held', false]);
  });

  test('trusts as long as it slept less than its time to live without the margin', () => {
    const { a, since } = twoHosts(0);
    a.sleep(trustOf(TTL_MS) - 1);
    const before = trusted(TTL_MS, since, a);
    a.sleep(1);
    expect([before, trusted(TTL_MS, since, a)]).toEqual([true, false]);
  });

  test('is told at its next renewal that another has it', () => {
    const { a, b, renew, look } = twoHosts(0);
    look();
    b.pass(TTL_MS);
    look();
    a.sleep(TTL_MS);
    expect(renew()).toBeNull();
  });

  test('who watches does not count the time that it slept itself', () => {
    const { b, look } = twoHosts(0);
    look();
    b.sleep(10 * TTL_MS);
    expect(look()).toBe('watching');
  });

  test('a jump of Unix time does not end trust', () => {
    const { a, since } = twoHosts(0);
    a.jump(HOUR_MS);
    expect(trusted(TTL_MS, since, a)).toBe(true);
  });
});
