import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { replay } from '../../src/core/replay.js';
import type { Event } from '../../src/core/words.js';
import { ended, intended, launching, running } from '../core/given.js';
import { netOf } from '../core/nets.js';
import { checkLaws, checkShown, type Shown } from './journal-laws.js';

/** j1 and j2 wait for j0. */
const NET = netOf([[], [0], [0]]);

/** Two jobs at a time. */
const begun = (mode: 'start' | 'resume' = 'start', limit = 2): Event => ({
  type: 'begun',
  mode,
  limit,
  keepGoing: false,
});
const notStarted = (job: string, attempt = 1): Event => ({ type: 'not-started', job, attempt, cause: '' });
const rerun = (job: string): Event => ({ type: 'rerun', job });
const lost = (job: string): Event => ({ type: 'abended', job, attempt: 1, reason: { kind: 'lost' } });
const run = (job: string, attempt = 1): Event[] => [launching(job, attempt), ended(job, attempt)];

/** The clock steps back with every event. */
const recorded = (events: readonly Event[]) => events.map((event, index) => ({ event, at: 1000 - index }));
const laws = (...events: Event[]) => checkLaws(NET, recorded(events));
const broken = (law: string) => expect.objectContaining({ name: 'Violation', law });

test('a run with a crash, a lost attempt and one that was not started keeps the laws', () => {
  const first = [begun(), ...run('j0'), launching('j1'), running('j1'), intended('j2')];
  const second = [
    lost('j1'),
    notStarted('j2'),
    begun('resume'),
    rerun('j1'),
    ...run('j1', 2),
    ...run('j2', 2),
  ];
  expect(laws(...first, ...second).counts.ended).toBe(3);
});

describe('a law is broken by', () => {
  test.each<[string, string, Event[]]>([
    ['an event that cannot happen', 'possible', [begun(), ended('j0')]],
    ['a job that nobody knows', 'possible', [begun(), launching('x')]],
    ['a launch before the predecessor has ended', 'order', [begun(), launching('j0'), launching('j1')]],
    ['a launch recorded ahead before that', 'order', [begun(), launching('j0'), intended('j1')]],
    ['a launch behind a lost predecessor', 'order', [begun(), launching('j0'), lost('j0'), launching('j1')]],
    [
      'an attempt that is launched twice',
      'once',
      [begun(), launching('j0'), notStarted('j0'), launching('j0')],
    ],
    [
      'an attempt below one that was launched',
      'numbers grow',
      [begun(), intended('j0'), notStarted('j0'), launching('j0', 2), notStarted('j0', 2), launching('j0')],
    ],
    [
      'more live attempts than the limit',
      'limit',
      [begun('start', 1), ...run('j0'), launching('j1'), launching('j2')],
    ],
    [
      'more live attempts than a limit that was lowered',
      'limit',
      [begun(), ...run('j0'), launching('j1'), launching('j2'), begun('resume', 1)],
    ],
    [
      'a launch behind the end of its job',
      'ended stays',
      [begun(), ...run('j0'), rerun('j0'), launching('j0', 2)],
    ],
    ['a job without an end', 'one end', [begun(), ...run('j0'), ...run('j1')]],
  ])('%s', (_, law, events) => {
    expect(() => laws(...events)).toThrow(broken(law));
  });

  test('an index that is not kept up to date', () => {
    const forgetful: typeof apply = (state, event, at) => {
      apply(state, event, at);
      if (event.type === 'ended') state.counts.ended--;
    };
    expect(() => checkLaws(NET, recorded([begun(), ...run('j0')]), forgetful)).toThrow(broken('indexes'));
  });
});

describe('what is shown of a run', () => {
  const state = replay(NET, recorded([begun(), ...run('j0'), ...run('j1'), launching('j2')]));
  const shown: Shown[] = [
    { job: 'j0', csv: '0', status: 'ended', attempt: 1 },
    { job: 'j1', csv: '0', status: 'ended', attempt: 1 },
    { job: 'j2', csv: '2', status: 'launching', attempt: 1 },
  ];
  const cells = { j0: '0', j1: '0', j2: '2' };

  test('may be what its journal says', () => {
    expect(() => checkShown(state, shown, cells)).not.toThrow();
  });

  test.each<[string, Partial<Shown>]>([
    ['status', { status: 'running' }],
    ['code', { csv: '9' }],
    ['attempt', { attempt: 2 }],
  ])('may not be another %s', (_, other) => {
    const others = shown.map((one) => (one.job === 'j2' ? { ...one, ...other } : one));
    expect(() => checkShown(state, others, cells)).toThrow(broken('status'));
  });

  test('may not be another cell', () => {
    expect(() => checkShown(state, shown, { ...cells, j2: '9' })).toThrow(broken('cells'));
  });
});
