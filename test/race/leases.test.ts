/** Leases that change hands: the usual recipe beside ours, halted at the same place. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { leasePlace, releaseLease, renewLease } from '../../src/claim/lease.js';
import { beat } from '../../src/claim/lease-steps.js';
import { runSteps } from '../../src/claim/steps.js';
import { makeFolder } from '../../src/host/durable.js';
import { namesOf, recordOf, writeRecord } from '../claim/records.js';
import { tempFolder } from '../contract/temp-folder.js';
import { everyHalt, program, walk } from './halting.js';
import { type Candidate, candidate, createHost, type Host } from './ours.js';
import { acquireScriptLease, readLease, renewScriptLease } from './recipes/lease.js';

const TTL_MS = 10_000;

function script(folder: string, holder: string, at = { s: 1000 }) {
  return { folder, holder, ttlS: 120, clock: () => at.s };
}

/** Two who have watched a lease for its whole time to live, whose holder is gone. */
function twoBeforeStale() {
  const folder = tempFolder();
  writeRecord(folder, '00000001', recordOf({ host: 'gone', kind: 'time', ttlMs: TTL_MS }));
  const host = createHost();
  const [a, b] = [candidate(folder, TTL_MS, { host: 'a' }), candidate(folder, TTL_MS, { host: 'b' })];
  for (const one of [a, b]) runSteps(one.look(), host.files);
  host.pass(TTL_MS);
  return { folder, host, a, b };
}

describe('a lease is checked and then written', () => {
  test('the recipe: both hold it, with the same token, and both have time left', () => {
    const folder = tempFolder();
    const first = walk(acquireScriptLease(script(folder, 'a')));
    first.before('write token');
    const second = walk(acquireScriptLease(script(folder, 'b'))).end();
    expect([second, first.end()]).toEqual([1, 1]);
  });

  test('ours: the one that was halted between looking and acting watches the other', () => {
    const { host, a, b } = twoBeforeStale();
    const first = walk(program(a.look(), host.files));
    first.before('link 00000002');
    const second = runSteps(b.look(), host.files);
    expect([second, first.end()]).toMatchObject([{ kind: 'held', number: 2 }, { kind: 'watching' }]);
  });

  test('ours: at whatever operation one is halted, one holds it at most', () => {
    const looks = everyHalt(() => {
      const { host, a, b } = twoBeforeStale();
      return { first: program(a.look(), host.files), other: () => runSteps(b.look(), host.files) };
    });
    const held = looks.map((two) => two.filter(({ kind }) => kind === 'held').length);
    expect([held.length > 8, new Set(held)]).toEqual([true, new Set([1])]);
  });

  test('ours: a holder that beats again at whatever operation of a takeover is never held beside', () => {
    const outcomes = everyHalt(() => {
      const { folder, host, a } = twoBeforeStale();
      return {
        first: program(a.look(), host.files),
        other: () => runSteps(beat(folder, 1, TTL_MS), host.files),
      };
    });
    // Whether the holder may go on is decided by who listed last: never both.
    const both = outcomes.filter(([look, since]) => look.kind === 'held' && since !== null);
    expect([outcomes.length > 8, both]).toEqual([true, []]);
  });
});

describe('a token is read, added to and written', () => {
  test('the recipe: a halted one brings it back, and the next is given out twice', () => {
    const folder = tempFolder();
    const at = { s: 1000 };
    const first = walk(acquireScriptLease(script(folder, 'a', at)));
    first.before('write token');
    const tokens = [1, 2].map((round) => {
      at.s = 1000 + round * 200;
      return walk(acquireScriptLease(script(folder, 'b', at))).end();
    });
    expect([...tokens, first.end()]).toEqual([1, 2, 1]);
  });

  test('ours: a halted one gets a number above all that were given out', () => {
    const folder = tempFolder();
    const host = createHost();
    const place = { ...leasePlace(folder, 'job'), claims: folder };
    const first = walk(program(candidate(folder, TTL_MS).look(), host.files));
    first.before('link 00000001');
    const tokens = [1, 2].map((number) => {
      const look = runSteps(candidate(folder, TTL_MS).look(), host.files);
      releaseLease(place, number, host.files);
      return look.kind === 'held' ? look.number : null;
    });
    expect([...tokens, first.end()]).toMatchObject([1, 2, { kind: 'held', number: 3 }]);
  });
});

describe('LOC-06, LOC-07: a renewal by a holder that was paused', () => {
  test("the recipe: it overwrites the new holder's lease", () => {
    const folder = tempFolder();
    const at = { s: 1000 };
    const [a, b] = [script(folder, 'a', at), script(folder, 'b', at)];
    walk(acquireScriptLease(a)).end();
    const renewal = walk(renewScriptLease(a, 1));
    renewal.before('write lease');
    at.s += 200;
    walk(acquireScriptLease(b)).end();
    expect([renewal.end(), readLease(folder)?.holder]).toEqual([true, 'a']);
    expect(walk(renewScriptLease(b, 2)).end()).toBe(false);
  });

  test('ours: at whatever operation it is halted it is told that it is lost', () => {
    const renewals = everyHalt(() => {
      const { claims, host, next } = held();
      return {
        first: program(beat(claims, 1, TTL_MS), host.files),
        other: () => takeOver(next, host),
      };
    });
    const outcomes = renewals.map(([since, look]) => `${since ? 'trusted' : 'lost'}, ${look.kind}`);
    expect([outcomes.length > 5, new Set(outcomes)]).toEqual([true, new Set(['lost, held'])]);
  });

  test('ours: it leaves the claim and the beats of the new holder as they are', () => {
    const { claims, host, next } = held();
    const renewal = walk(program(beat(claims, 1, TTL_MS), host.files));
    renewal.before('rename');
    takeOver(next, host);
    runSteps(beat(claims, 2, TTL_MS), host.files);
    const before = filesOf(claims, '00000002');
    renewal.end();
    expect(filesOf(claims, '00000002')).toEqual(before);
    expect(runSteps(beat(claims, 2, TTL_MS), host.files)).not.toBeNull();
  });

  test('ours: halted before it is shown to old scripts, it costs the new holder nothing', () => {
    const { place, host, next } = held();
    let isNext = true;
    const halting = (from: string, to: string) => {
      if (to.endsWith('job.lease') && isNext) {
        isNext = false;
        takeOver(next, host);
        renewLease(place, 2, TTL_MS, host.files);
      }
      return DISK.rename(from, to);
    };
    const late = renewLease(place, 1, TTL_MS, { ...host.files, rename: halting });
    expect([late, renewLease(place, 2, TTL_MS, host.files) !== null]).toEqual([null, true]);
  });

  test('ours: a renewal with a token that is not the highest is refused', () => {
    const { place, host, next } = held();
    takeOver(next, host);
    expect([1, 3].map((token) => renewLease(place, token, TTL_MS, host.files))).toEqual([null, null]);
  });

  test("ours: a release by who has lost it leaves the new holder's", () => {
    const { place, claims, host, next } = held();
    takeOver(next, host);
    expect([releaseLease(place, 1, host.files), namesOf(claims).includes('00000002.released')]).toEqual([
      false,
      false,
    ]);
  });
});

/** A lease that host `a` holds, and `b` who wants it. */
function held() {
  const host = createHost(1_000_000);
  const place = leasePlace(tempFolder(), 'job');
  makeFolder(place.claims);
  runSteps(candidate(place.claims, TTL_MS, { host: 'a' }).look(), host.files);
  return { place, claims: place.claims, host, next: candidate(place.claims, TTL_MS, { host: 'b' }) };
}

function takeOver(next: Candidate, host: Host) {
  runSteps(next.look(), host.files);
  host.pass(TTL_MS);
  return runSteps(next.look(), host.files);
}

function filesOf(folder: string, prefix: string) {
  const names = namesOf(folder).filter((name) => name.startsWith(prefix));
  return names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
}
