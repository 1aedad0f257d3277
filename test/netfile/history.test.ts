/** Rows that jobs had before: a row that comes back as one of them was saved from then. */
import { describe, expect, test } from 'vitest';
import type { RowTexts } from '../../src/core/versions.js';
import { createHistory } from '../../src/netfile/history.js';

const T = ['2026/11/30 12:00:01', '2026/11/30 12:00:02'] as const;
const row = (status: RowTexts['status'], stime = '', etime = ''): RowTexts => ({ status, stime, etime });
const WAITING = row('9');
const RUNNING = row('2', T[0]);
const ABENDED = row('1', T[0], T[1]);
const RERUN = row('9', T[0], T[1]);
const ENDED = row('0', T[0], T[1]);

describe('the rows of a job', () => {
  test('are none at first', () => {
    expect(createHistory().earlier('a')).toEqual([]);
  });

  test('are what it had before what was written, the oldest first', () => {
    const history = createHistory();
    history.written('a', WAITING, RUNNING);
    history.written('a', RUNNING, ABENDED);
    expect(history.earlier('a')).toEqual([WAITING, RUNNING]);
  });

  test('are not more after a write that changed nothing', () => {
    const history = createHistory();
    history.written('a', WAITING, WAITING);
    expect(history.earlier('a')).toEqual([]);
  });

  test('are those of this job only', () => {
    const history = createHistory();
    history.written('a', WAITING, RUNNING);
    expect(history.earlier('b')).toEqual([]);
  });

  test('are each there once, however often they come and go', () => {
    const history = createHistory();
    history.written('a', WAITING, ENDED);
    for (let copy = 0; copy < 50; copy++) {
      history.changed('a', ENDED);
      history.written('a', RUNNING, ENDED);
    }
    expect(history.earlier('a')).toEqual([WAITING, RUNNING]);
  });

  test('are twenty at most', () => {
    const history = createHistory();
    for (let minute = 10; minute < 60; minute++) history.changed('a', row('0', `2026/11/30 12:${minute}:00`));
    expect([history.earlier('a').length, history.earlier('a')[0]?.stime]).toEqual([
      20,
      '2026/11/30 12:40:00',
    ]);
  });
});

describe('a row that is back by our own hand', () => {
  test('makes nothing older of what an operator may do from there: an attempt that abended within the second', () => {
    const history = createHistory();
    history.written('a', WAITING, ABENDED);
    history.changed('a', ABENDED);
    history.written('a', RERUN, ABENDED);
    expect(history.earlier('a')).toEqual([WAITING]);
  });

  test('leaves older rows what they are: a stale row that was put back', () => {
    const history = createHistory();
    history.written('a', WAITING, ABENDED);
    history.changed('a', ABENDED);
    history.changed('a', ENDED);
    history.written('a', ABENDED, ENDED);
    expect(history.earlier('a')).toEqual([WAITING, ABENDED]);
  });

  test('leaves an edit what it is, a row of before: an attempt that ended again within the second', () => {
    const history = createHistory();
    history.written('a', WAITING, ENDED);
    history.changed('a', ENDED);
    history.written('a', RERUN, ENDED);
    expect(history.earlier('a')).toEqual([WAITING, RERUN]);
  });

  test('says nothing when it has no times: what came between is older all the same', () => {
    const history = createHistory();
    history.written('a', WAITING, ABENDED);
    history.changed('a', ABENDED);
    history.written('a', RERUN, WAITING);
    expect(history.earlier('a')).toEqual([WAITING, ABENDED, RERUN]);
  });
});
