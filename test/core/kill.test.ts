/** What a request to end jobs comes to, and what becomes of a job that was asked. */
import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { decide } from '../../src/core/decide.js';
import { GRACE_MS } from '../../src/core/kill.js';
import type { Event, JobName, KillRequest, Report } from '../../src/core/words.js';
import { abended, ended, given, intended, launching, running } from './given.js';

const CHAIN = [[], [0]];
const FREE = [[], [], []];
const ASKED: KillRequest = { cause: { kind: 'operator', user: 'op' }, signal: 'TERM', graceMs: 10_000 };

const kill = (jobs: readonly JobName[] | null, request = ASKED) => ({ type: 'kill', jobs, request }) as const;
const requested = (job: JobName, request = ASKED, attempt = 1): Event => {
  return { type: 'kill-requested', job, attempt, ...request };
};
const report = (what: Report) => ({ type: 'report', job: 'j0', attempt: 1, report: what }) as const;
const killed = (code: number | null): Event => {
  return { type: 'abended', job: 'j0', attempt: 1, reason: { kind: 'killed', cause: ASKED.cause, code } };
};

describe('a request to end', () => {
  test.each([
    ['launching', [launching('j0')]],
    ['running', [launching('j0'), running('j0')]],
  ])('is recorded for a job that is %s', (_, before) => {
    given(CHAIN, ...before)
      .when(kill(['j0']))
      .gives(requested('j0'));
  });

  test.each([
    ['waiting', []],
    ['intended', [intended('j0')]],
    ['ended', [launching('j0'), ended('j0')]],
    ['abended', [launching('j0'), abended('j0', 1)]],
  ])('is nothing for a job that is %s', (_, before) => {
    given(CHAIN, ...before)
      .when(kill(['j0']))
      .gives();
  });

  test('is nothing for a job that is not there', () => {
    given(CHAIN)
      .when(kill(['nosuch']))
      .gives();
  });

  test('without names is for all that run', () => {
    given(FREE, launching('j0'), launching('j2')).when(kill(null)).gives(requested('j0'), requested('j2'));
  });

  test('made twice is one', () => {
    given(CHAIN, launching('j0'), requested('j0'))
      .when(kill(['j0']))
      .gives();
  });

  test.each([
    ['with KILL', { ...ASKED, signal: 'KILL' }],
    ['with a shorter grace', { ...ASKED, graceMs: 1000 }],
  ])('made again %s counts', (_, sooner) => {
    given(CHAIN, launching('j0'), requested('j0'))
      .when(kill(['j0'], sooner))
      .gives(requested('j0', sooner));
  });

  test('made again with a longer grace does not', () => {
    given(CHAIN, launching('j0'), requested('j0'))
      .when(kill(['j0'], { ...ASKED, graceMs: 60_000 }))
      .gives();
  });
});

describe('a job that was asked to end', () => {
  test.each<[string, Report, number | null]>([
    ['exits with 0', { kind: 'exited', code: 0 }, 0],
    ['exits with 143', { kind: 'exited', code: 143 }, 143],
    ['is gone', { kind: 'killed', code: null, survivors: [] }, null],
    ['is lost', { kind: 'lost' }, null],
    ['was not started after all', { kind: 'not-started', cause: 'x' }, null],
  ])('is killed when it %s', (_, what, code) => {
    given(CHAIN, launching('j0'), requested('j0')).when(report(what)).gives(killed(code));
  });

  test('is still killed when its start is confirmed in between', () => {
    given(CHAIN, launching('j0'), requested('j0'), running('j0'))
      .when(report({ kind: 'exited', code: 0 }))
      .gives(killed(0));
  });

  test('names what is left of it', () => {
    const survivors = [{ pid: 77, name: 'nfs-io', state: 'D' }];
    const reason = { kind: 'killed', cause: ASKED.cause, code: null, survivors } as const;
    given(CHAIN, launching('j0'), requested('j0'))
      .when(report({ kind: 'killed', code: null, survivors }))
      .gives({ type: 'abended', job: 'j0', attempt: 1, reason });
  });

  test('that was not asked and is said to be killed is lost: nobody of ours did it', () => {
    given(CHAIN, launching('j0'))
      .when(report({ kind: 'killed', code: null, survivors: [] }))
      .gives({ type: 'abended', job: 'j0', attempt: 1, reason: { kind: 'lost' }, endedAt: null });
  });
});

describe('--fail-fast', () => {
  const FAST = { cause: { kind: 'fail-fast' }, signal: 'TERM', graceMs: GRACE_MS } as const;

  function begun(...events: Event[]) {
    const { state } = given(FREE);
    apply(state, { type: 'begun', mode: 'start', limit: 3, keepGoing: false, failFast: true }, 1000);
    for (const event of events) apply(state, event, 1000);
    return decide(state, { type: 'idle', at: 1001 });
  }

  test('asks all that run to end when one has abended', () => {
    expect(begun(launching('j0'), launching('j1'), launching('j2'), abended('j1', 1))).toEqual([
      requested('j0', FAST),
      requested('j2', FAST),
    ]);
  });

  test('asks once', () => {
    expect(begun(launching('j0'), launching('j1'), abended('j1', 1), requested('j0', FAST))).toEqual([]);
  });

  test('asks nobody while all goes well', () => {
    expect(begun(launching('j0'), launching('j1'), ended('j1'))).toEqual([]);
  });
});
