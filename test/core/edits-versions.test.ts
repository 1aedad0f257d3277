/** What a version comes to as a whole: rows added, removed, redefined, and when a person must look first. */
import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { versionEvents } from '../../src/core/edits.js';
import type { Edits, RowEdit } from '../../src/core/words.js';
import { given } from './given.js';

const AT = 2000;
const SKIP: RowEdit = { job: 'j1', from: '9', to: '0', times: 'kept' };
const fresh = () => given([[], [0]]).state;

describe('a version', () => {
  const news = (own: Partial<Edits>): Edits => ({
    rows: [],
    added: [],
    removed: [],
    redefined: [],
    known: 10,
    isCutOff: false,
    ...own,
  });

  test('without any change is no event', () => {
    expect(versionEvents(fresh(), news({}), false)).toEqual([]);
  });

  test('without any change is news when a trouble ends with it', () => {
    const state = fresh();
    apply(state, { type: 'version', outcome: 'unreadable', code: 'ENOENT' }, AT);
    expect(versionEvents(state, news({}), false)).toEqual([
      { type: 'version', outcome: 'taken', added: [], removed: [], redefined: 0 },
    ]);
  });

  test('says what rows it adds, removes and redefines, before the edits of others', () => {
    const state = fresh();
    const own = news({
      added: ['n'],
      removed: ['j0'],
      redefined: ['j1'],
      rows: [SKIP],
    });
    expect(versionEvents(state, own, false)).toEqual([
      { type: 'version', outcome: 'taken', added: ['n'], removed: ['j0'], redefined: 1 },
      { type: 'skipped', job: 'j1', by: 'csv' },
    ]);
  });

  test.each([
    ['it is cut off', { isCutOff: true }, { kind: 'cut-off' }],
    [
      'more than half of the rows are gone',
      { removed: ['a', 'b', 'c', 'd', 'e', 'f'] },
      { kind: 'rows-gone', gone: 6, known: 10 },
    ],
    [
      'names look changed by a spreadsheet',
      { removed: ['0010'], added: ['10'] },
      { kind: 'names-changed', pairs: [['0010', '10']] },
    ],
  ])('is held when %s, and nothing of it counts', (_, own, why) => {
    const state = fresh();
    expect(versionEvents(state, news({ ...own, rows: [SKIP] }), false)).toEqual([
      { type: 'version', outcome: 'held', why },
    ]);
  });

  test('is not held when just half of the rows are gone', () => {
    const own = news({ removed: ['a', 'b', 'c', 'd', 'e'] });
    expect(versionEvents(fresh(), own, false)[0]).toMatchObject({ outcome: 'taken' });
  });

  test('is taken whatever it is when a person has accepted it', () => {
    const own = news({ isCutOff: true, removed: ['0010', 'a', 'b', 'c', 'd', 'e'], added: ['10'] });
    expect(versionEvents(fresh(), own, true)[0]).toMatchObject({ outcome: 'taken' });
  });

  test('with an edit of a job that nobody knows says nothing of it', () => {
    const own = news({ rows: [{ ...SKIP, job: 'unknown' }] });
    expect(versionEvents(fresh(), own, false)).toEqual([]);
  });
});
