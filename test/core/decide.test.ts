/** The rules of scheduling, one at a time. */
import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { nextLaunch } from '../../src/core/decide.js';
import { createState } from '../../src/core/state.js';
import type { Event } from '../../src/core/words.js';
import { abended, ended, exited, given, intended, launching, running, startable } from './given.js';
import { netOf } from './nets.js';

const CHAIN = [[], [0]];
const PAIR = [[], []];
const NOW = { recordAhead: false, retry: false };

describe('launching', () => {
  test('takes the next attempt number', () => {
    given(CHAIN).when(startable('j0')).gives(launching('j0', 1));
  });

  test('after an attempt that was not started takes the number behind it', () => {
    given(CHAIN, launching('j0'), { type: 'not-started', job: 'j0', attempt: 1, cause: 'fork' })
      .when(startable('j0'))
      .gives(launching('j0', 2));
  });

  test('records ahead when a slot is not free yet', () => {
    given(CHAIN).when(startable('j0', true)).gives(intended('j0'));
  });

  test('of a recorded-ahead attempt keeps its number', () => {
    given(CHAIN, intended('j0')).when(startable('j0')).gives(launching('j0', 1));
  });

  test('of a script that cannot be started abends the job, and nothing else', () => {
    const problem = { kind: 'empty', path: './jobs/j0' } as const;
    given(CHAIN)
      .when({ type: 'inspected', job: 'j0', ahead: false, verdict: { kind: 'refused', problem } })
      .gives({ type: 'abended', job: 'j0', attempt: 1, reason: { kind: 'refused', problem } });
  });

  test('of a job that runs already does nothing', () => {
    given(CHAIN, launching('j0')).when(startable('j0')).gives();
  });

  test('waits while the folder is gone, with one record', () => {
    const shortage = { kind: 'folder-gone', path: '/x' } as const;
    const gone = {
      type: 'inspected',
      job: 'j0',
      ahead: false,
      verdict: { kind: 'shortage', shortage },
    } as const;
    given(CHAIN).when(gone).gives({ type: 'paused', shortage });
    given(CHAIN, { type: 'paused', shortage }).when(gone).gives();
  });

  test('goes on when the folder is back', () => {
    given(CHAIN, { type: 'paused', shortage: { kind: 'folder-gone', path: '/x' } })
      .when(startable('j0'))
      .gives({ type: 'unpaused' }, launching('j0'));
  });

  test('goes on after a shortage of processes only when one could be made', () => {
    const paused = { type: 'paused', shortage: { kind: 'resources', message: 'fork' } } as const;
    given(CHAIN, paused).when(startable('j0')).gives(launching('j0'));
    given(CHAIN, paused, launching('j0')).when(exited('j0', 0)).gives(ended('j0'), { type: 'unpaused' });
  });
});

describe('the next launch', () => {
  test('is the first in file order', () => {
    expect(nextLaunch(given(PAIR).state, NOW)).toEqual({ job: 'j0', ahead: false });
  });

  test('is one that was recorded ahead before one that was not', () => {
    expect(nextLaunch(given([[], [], []], intended('j2')).state, NOW)).toEqual({ job: 'j2', ahead: false });
  });

  test('is none while every slot is taken, unless it may be recorded ahead', () => {
    const { state } = given([[], [], []], launching('j0'), launching('j1'));
    expect(nextLaunch(state, NOW)).toBeNull();
    expect(nextLaunch(state, { ...NOW, recordAhead: true })).toEqual({ job: 'j2', ahead: true });
  });

  test('is recorded ahead for at most one job a slot', () => {
    const four = [[], [], [], [], []];
    const { state } = given(four, launching('j0'), launching('j1'), intended('j2'), intended('j3'));
    expect(nextLaunch(state, { ...NOW, recordAhead: true })).toBeNull();
  });

  test('is none after an abend, and something with keepGoing', () => {
    const { state } = given([[], [], [0]], launching('j0'), abended('j0', 1));
    expect(nextLaunch(state, NOW)).toBeNull();
    apply(state, { type: 'begun', mode: 'resume', limit: 2, keepGoing: true }, 1);
    expect(nextLaunch(state, NOW)).toEqual({ job: 'j1', ahead: false });
  });

  test('is none after a stop', () => {
    expect(nextLaunch(given(PAIR, { type: 'stopping', by: 'INT' }).state, NOW)).toBeNull();
  });

  test('in a shortage is tried once in a while only', () => {
    const { state } = given(PAIR, { type: 'paused', shortage: { kind: 'resources', message: 'x' } });
    expect(nextLaunch(state, NOW)).toBeNull();
    expect(nextLaunch(state, { ...NOW, retry: true })).toEqual({ job: 'j0', ahead: false });
  });
});

describe('an end', () => {
  test('with code 0 is normal', () => {
    given(CHAIN, launching('j0')).when(exited('j0', 0)).gives(ended('j0'));
  });

  test.each([1, 2, 9, 127, 137, 255])('with code %i is an abend', (code) => {
    given(CHAIN, launching('j0'), running('j0')).when(exited('j0', code)).gives(abended('j0', code));
  });

  test('that nobody knows is lost, without a time', () => {
    given(CHAIN, launching('j0'))
      .when({ type: 'report', job: 'j0', attempt: 1, report: { kind: 'lost' } })
      .gives({ type: 'abended', job: 'j0', attempt: 1, reason: { kind: 'lost' }, endedAt: null });
  });

  describe('with another version of the script in place', () => {
    const found = (script: string | null, code = 0) => {
      return { type: 'report', job: 'j0', attempt: 1, report: { kind: 'exited', code, script } } as const;
    };
    const CHANGED = { hasScriptChanged: true } as const;

    test.each([
      ['launching', [launching('j0')]],
      ['running', [launching('j0'), running('j0')]],
      ['intended, and fed before that was on record', [intended('j0')]],
      ['intended, then running', [intended('j0'), running('j0')]],
    ])('says so: %s', (_, before) => {
      given(CHAIN, ...before)
        .when(found('other'))
        .gives({ ...ended('j0'), ...CHANGED } as Event);
    });

    test('says so of an abend, and where the script is gone', () => {
      given(CHAIN, launching('j0'))
        .when(found(null, 3))
        .gives({ ...abended('j0', 3), ...CHANGED } as Event);
    });

    test('says nothing where it is the same', () => {
      given(CHAIN, launching('j0')).when(found('abc')).gives(ended('j0'));
    });
  });

  test('of another attempt says nothing', () => {
    given(CHAIN, launching('j0'), abended('j0', 1), { type: 'rerun', job: 'j0' }, launching('j0', 2))
      .when(exited('j0', 0, 1))
      .gives();
  });

  test('that comes twice says nothing the second time', () => {
    given(CHAIN, launching('j0'), ended('j0')).when(exited('j0', 1)).gives();
  });
});

describe('the run', () => {
  test('closes as ended when every job has ended', () => {
    given([[]], launching('j0'), ended('j0')).when({ type: 'idle' }).gives({ type: 'closed', as: 'ended' });
  });

  test('closes as abended when nothing runs and nothing may start', () => {
    given(CHAIN, launching('j0'), abended('j0', 1))
      .when({ type: 'idle' })
      .gives({ type: 'closed', as: 'abended' });
  });

  test('closes as stopped after a stop, and gives back what was recorded ahead', () => {
    given(PAIR, intended('j0'), { type: 'stopping', by: 'TERM' })
      .when({ type: 'idle' })
      .gives(
        { type: 'not-started', job: 'j0', attempt: 1, cause: 'the run closed first' },
        { type: 'closed', as: 'stopped' },
      );
  });

  test('stays open while a job runs, or while a shortage lasts', () => {
    given(CHAIN, launching('j0')).when({ type: 'idle' }).gives();
    given(CHAIN, { type: 'paused', shortage: { kind: 'resources', message: 'x' } })
      .when({ type: 'idle' })
      .gives();
  });

  test('is not abandoned when it has ended', () => {
    given([[]], launching('j0'), ended('j0'), { type: 'closed', as: 'ended' })
      .when({ type: 'abandon' })
      .gives();
  });

  test('is abandoned by a new start in any other state', () => {
    given(CHAIN, launching('j0'), abended('j0', 1), { type: 'closed', as: 'abended' })
      .when({ type: 'abandon' })
      .gives({ type: 'closed', as: 'abandoned' });
  });

  test('takes a second stop for nothing new', () => {
    given(CHAIN, { type: 'stopping', by: 'INT' }).when({ type: 'stop', by: 'TERM' }).gives();
  });
});

describe('a CSV without a journal', () => {
  test('counts: 0 is kept, 1 is abended, 2 is lost', () => {
    given([[]]).when({ type: 'import', job: 'j0', status: '0' }).gives({ type: 'kept', job: 'j0' });
    given([[]])
      .when({ type: 'import', job: 'j0', status: '1' })
      .gives({ type: 'abended', job: 'j0', attempt: 0, reason: { kind: 'from-csv' }, endedAt: null });
    given([[]])
      .when({ type: 'import', job: 'j0', status: '2' })
      .gives({ type: 'abended', job: 'j0', attempt: 0, reason: { kind: 'lost' }, endedAt: null });
  });
});

describe('apply', () => {
  test('throws on what the transition table does not allow', () => {
    const state = createState(netOf([[]]));
    expect(() => apply(state, ended('j0'), 1)).toThrow('impossible: ended on j0');
  });

  test('throws on another attempt than the one the job is in', () => {
    const { state } = given([[]], launching('j0'));
    expect(() => apply(state, ended('j0', 2), 1)).toThrow('impossible');
  });

  test('keeps what it knows of jobs that are not in the net any more', () => {
    const state = createState(netOf([[]]));
    for (const event of [launching('gone'), abended('gone', 3), { type: 'rerun', job: 'gone' } as const]) {
      apply(state, event, 1);
    }
    expect(state.departed.get('gone')).toEqual({ status: 'waiting', attempts: 1 });
  });
});
