/** What an edit of a status means: every state of a job, every status, everything that its times may say. */
import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { acceptEvents, versionEvents } from '../../src/core/edits.js';
import { cellsOf } from '../../src/core/project.js';
import { attemptsOf, jobState, type State } from '../../src/core/state.js';
import type { Edits, Event, RowEdit, StatusCode } from '../../src/core/words.js';
import { abended, ended, given, intended, launching, running } from './given.js';

const AT = 2000;
const JOB = 'j1';
const TIMES = ['kept', 'cleared', 'cleared alone', 'started', 'finished', 'other'] as const;
const CODES = ['0', '1', '2', '9'] as const satisfies readonly StatusCode[];

const byCsv = (type: 'skipped' | 'outside' | 'settled') => ({ type, job: JOB, by: 'csv' }) as const;
const lost: Event = { type: 'abended', job: JOB, attempt: 1, reason: { kind: 'lost' }, endedAt: null };
const byHand: Event = { type: 'abended', job: JOB, attempt: 0, reason: { kind: 'by-hand' } };

/** What became of the job before its row is edited. It has one predecessor, which has ended unless said otherwise. */
const KNOWN = {
  waiting: [],
  intended: [intended(JOB)],
  launching: [launching(JOB)],
  running: [launching(JOB), running(JOB)],
  ended: [launching(JOB), running(JOB), ended(JOB)],
  abended: [launching(JOB), running(JOB), abended(JOB, 3)],
  lost: [launching(JOB), running(JOB), lost],
  'abended by hand': [byHand],
  'settled by hand': [launching(JOB), abended(JOB, 3), byCsv('settled')],
  skipped: [byCsv('skipped')],
  outside: [byCsv('outside')],
} satisfies Record<string, readonly Event[]>;

type Known = keyof typeof KNOWN;

/** `-`: the row says what the state says. Columns are what the status was edited to. */
const ABENDED = `
  kept           settle  -      refuse  rerun
  cleared        stale   -      stale   stale
  cleared alone  stale   -      stale   rerun
  started        stale   -      stale   stale
  finished       stale   -      stale   stale
  other          stale   -      stale   stale`;
const SETTLED = `
  kept           -       abend  refuse  rerun
  cleared        -       stale  stale   stale
  cleared alone  -       stale  stale   hold
  started        -       stale  stale   stale
  finished       -       stale  stale   stale
  other          -       stale  stale   stale`;
const WAITING = `
  kept           skip    abend  outside -
  cleared        stale   stale  stale   -
  cleared alone  stale   stale  stale   -
  started        skip    abend  outside -
  finished       stale   stale  stale   -
  other          stale   stale  stale   -`;
const RUNNING = `
  kept           refuse  refuse -       refuse
  cleared        stale   stale  -       stale
  cleared alone  stale   stale  -       refuse
  started        stale   stale  -       stale
  finished       refuse  refuse -       refuse
  other          stale   stale  refuse  stale`;

const TABLE: Record<Known, string> = {
  waiting: WAITING,
  intended: WAITING,
  launching: RUNNING,
  running: RUNNING,
  ended: SETTLED,
  'settled by hand': SETTLED,
  skipped: SETTLED,
  abended: ABENDED,
  lost: ABENDED,
  'abended by hand': ABENDED,
  outside: `
  kept           settle  abend  -       rerun
  cleared        stale   stale  -       stale
  cleared alone  stale   stale  -       rerun
  started        stale   stale  -       stale
  finished       settle  abend  -       rerun
  other          stale   stale  -       stale`,
};

const cells = Object.entries(TABLE).flatMap(([known, text]) =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [times = '', ...meanings] = line.trim().split(/\s{2,}|\s(?=-|refuse|rerun|stale|hold)/);
      return CODES.map((to, index) => [known as Known, times, to, meanings[index]!] as const);
    }),
);

function edits(...rows: RowEdit[]): Edits {
  return { rows, added: [], removed: [], redefined: [], known: 2, isCutOff: false };
}

function stateOf(known: Known): State {
  return given([[], [0]], launching('j0'), ended('j0'), ...KNOWN[known]).state;
}

function codeIn(state: State): StatusCode {
  return cellsOf(jobState(state, JOB)!).status;
}

function editOf(state: State, times: string, to: StatusCode, from = codeIn(state)): RowEdit[] {
  const edit = { job: JOB, from, to, times: times.split(' ')[0] as RowEdit['times'] };
  // Unless it is alone, another row was changed in the same save, which says what is known of it.
  const other: RowEdit = { job: 'j0', from: '9', to: '0', times: 'kept' };
  return times === 'cleared alone' ? [edit] : [edit, other];
}

/** One word for what happens; a launch that was recorded ahead is taken back first. */
function wordOf(events: readonly Event[]): string {
  const own = events.filter((event) => 'job' in event && event.job === JOB);
  const [first, second] = own;
  const event = first?.type === 'not-started' ? second : first;
  if (!event) return '-';
  switch (event.type) {
    case 'edit':
      return { refused: 'refuse', stale: 'stale', held: 'hold' }[event.outcome];
    case 'skipped':
      return 'skip';
    case 'settled':
      return 'settle';
    case 'abended':
      return event.reason.kind === 'by-hand' ? 'abend' : '?';
    default:
      return event.type;
  }
}

describe('an edit of a status', () => {
  test('is in the table with every state, status and kind of times', () => {
    expect(cells).toHaveLength(Object.keys(KNOWN).length * TIMES.length * CODES.length);
    expect(new Set(cells.map(([, times]) => times))).toEqual(new Set(TIMES));
  });

  test.each(cells)('of a job that is %s, times %s, to %s: %s', (known, times, to, meaning) => {
    const state = stateOf(known);
    expect(wordOf(versionEvents(state, edits(...editOf(state, times, to)), false))).toBe(meaning);
  });

  test.each(cells)(
    'of a job that is %s, times %s, to %s leaves the row saying what was asked, or what it said (%s)',
    (known, times, to, meaning) => {
      const state = stateOf(known);
      const before = codeIn(state);
      const events = versionEvents(state, edits(...editOf(state, times, to)), false);
      for (const event of events) apply(state, event, AT);
      const isObeyed = ['skip', 'settle', 'abend', 'rerun', 'outside'].includes(meaning);
      expect(codeIn(state)).toBe(isObeyed ? to : before);
    },
  );

  test.each(cells.filter(([known]) => known !== 'lost'))(
    'of a job that is %s, times %s, to %s, in a row that is behind the state is stale (else %s)',
    (known, times, to) => {
      const state = stateOf(known);
      const own = codeIn(state);
      for (const from of CODES.filter((code) => code !== own && code !== to)) {
        const [word] = [wordOf(versionEvents(state, edits(...editOf(state, times, to, from)), false))];
        const saysTheState = own === to;
        expect([from, word]).toEqual([from, saysTheState ? expect.stringMatching(/-|refuse/) : 'stale']);
      }
    },
  );
});

describe('a job that is lost', () => {
  test.each([
    ['kept', '0', 'settle'],
    ['kept', '9', 'rerun'],
    ['finished', '0', 'settle'],
    ['finished', '1', '-'],
    ['other', '0', 'stale'],
  ] as const)('may be edited from the 2 that was last known: times %s, to %s: %s', (times, to, meaning) => {
    const state = stateOf('lost');
    expect(wordOf(versionEvents(state, edits(...editOf(state, times, to, '2')), false))).toBe(meaning);
  });
});

describe('a job behind an abended one', () => {
  const behind = (depth: number) =>
    given(
      Array.from({ length: depth + 1 }, (_, index) => (index === 0 ? [] : [index - 1])),
      launching('j0'),
      abended('j0', 1),
    ).state;
  const edit = (job: string, to: StatusCode): RowEdit => ({ job, from: '9', to, times: 'kept' });

  test.each([1, 2, 50])('cannot be started outside, %i jobs away', (depth) => {
    const state = behind(depth);
    expect(versionEvents(state, edits(edit(`j${depth}`, '2')), false)).toEqual([
      { type: 'edit', job: `j${depth}`, from: '9', to: '2', outcome: 'refused' },
    ]);
  });

  test('can be skipped and marked abended', () => {
    const state = behind(1);
    expect(versionEvents(state, edits(edit('j1', '0')), false)[0]?.type).toBe('skipped');
    expect(versionEvents(state, edits(edit('j1', '1')), false)[0]?.type).toBe('abended');
  });

  test('can be started outside when what abended was settled', () => {
    const state = behind(2);
    apply(state, { type: 'settled', job: 'j0', by: 'csv' }, AT);
    expect(versionEvents(state, edits(edit('j2', '2')), false)).toEqual([
      { type: 'outside', job: 'j2', by: 'csv' },
    ]);
  });

  test('keeps a launch that was recorded ahead when the edit is refused', () => {
    const { state } = given([[], [0]], launching('j0'), ended('j0'), intended('j1'));
    apply(state, { type: 'abended', job: 'j0', attempt: 1, reason: { kind: 'by-hand' } }, AT);
    expect(versionEvents(state, edits(edit('j1', '2')), false)).toEqual([
      { type: 'edit', job: 'j1', from: '9', to: '2', outcome: 'refused' },
    ]);
  });
});

describe('a launch that was recorded ahead', () => {
  test('is taken back by an edit, and its number is used up', () => {
    const state = stateOf('intended');
    for (const event of versionEvents(state, edits(...editOf(state, 'kept', '0')), false))
      apply(state, event, AT);
    expect([jobState(state, JOB)?.status, attemptsOf(jobState(state, JOB)!)]).toEqual(['skipped', 1]);
  });

  test('is taken back when its row is removed', () => {
    const state = stateOf('intended');
    const removed = { ...edits(), removed: [JOB] };
    expect(versionEvents(state, removed, false).map(({ type }) => type)).toEqual(['not-started', 'version']);
  });
});

describe('a settled job that is abended by hand and run again', () => {
  test('keeps the times and the number of its attempt', () => {
    const state = stateOf('ended');
    const before = jobState(state, JOB);
    for (const event of versionEvents(state, edits(...editOf(state, 'kept', '1')), false))
      apply(state, event, AT);
    const { startedAt, endedAt, attempt } = before as Extract<typeof before, { status: 'ended' }>;
    expect(jobState(state, JOB)).toEqual({
      status: 'abended',
      attempt,
      startedAt,
      endedAt,
      reason: { kind: 'by-hand' },
    });
  });

  test('is launched under the next number', () => {
    const state = stateOf('ended');
    for (const event of versionEvents(state, edits(...editOf(state, 'kept', '9')), false))
      apply(state, event, AT);
    expect(jobState(state, JOB)).toEqual({ status: 'waiting', attempts: 1 });
  });
});

describe('an edit that waits for a person', () => {
  test('is a rerun when it is accepted', () => {
    const state = stateOf('ended');
    for (const event of versionEvents(state, edits(...editOf(state, 'cleared alone', '9')), false))
      apply(state, event, AT);
    expect(acceptEvents(state)).toEqual([{ type: 'rerun', job: JOB, by: 'accept' }]);
  });

  test('is nothing any more when the job was run again otherwise', () => {
    const state = stateOf('ended');
    apply(state, { type: 'edit', job: JOB, from: '0', to: '9', outcome: 'held' }, AT);
    apply(state, { type: 'rerun', job: JOB, by: 'csv' }, AT);
    expect(acceptEvents(state)).toEqual([]);
  });
});
