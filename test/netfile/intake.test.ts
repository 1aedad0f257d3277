/** Which versions are whole enough to be offered, and when: nothing half-written is ever obeyed. */
import { describe, expect, test } from 'vitest';
import type { Sheet } from '../../src/core/sheet.js';
import { rowTexts } from '../../src/core/versions.js';
import { createIntake, type Intake, type Look, PATIENT_MS, STABLE_MS } from '../../src/netfile/intake.js';
import { sheetIn } from './rig.js';

const row = (job: string, rest = '9,,,') => `${job},${rest}`;
const KNOWN = `job,status,stime,etime,prev1\n${['A', 'B', 'C', 'D'].map((job) => row(job)).join('\n')}\n`;
const EDITED = KNOWN.replace('B,9', 'B,0');

/** The intake of a known version, with a clock of its own. */
function given(known: string | Buffer = KNOWN) {
  let at = 1_000_000;
  let sheet: Sheet = sheetIn(known);
  const intake: Intake = createIntake(() => sheet, {
    now: (job) => rowTexts(sheet, job),
    began: '2026/11/30 12:00:00',
  });
  const look = (version: string | Buffer): Look => {
    const bytes = Buffer.from(version as string);
    return intake.look({ bytes, form: bytes.toString('latin1') }, at);
  };
  return {
    intake,
    look,
    pass: (ms: number) => {
      at += ms;
    },
    know: (version: string) => {
      sheet = sheetIn(version);
    },
    /** Looks as often as it is asked to, until the version is not waited for any more. */
    lookUntilClear: (version: string | Buffer): { look: Look; after: number } => {
      const began = at;
      for (let seen = look(version); ; seen = look(version)) {
        if (seen.kind !== 'wait') return { look: seen, after: at - began };
        at += seen.ms;
      }
    },
  };
}

describe('a version', () => {
  test('is not offered at the first look', () => {
    expect(given().look(EDITED)).toEqual({ kind: 'wait', ms: STABLE_MS });
  });

  test('is offered when it has stayed as it is for a moment', () => {
    const { look, after } = given().lookUntilClear(EDITED);
    expect([look.kind, after]).toEqual(['good', STABLE_MS]);
  });

  test('is offered with its edits', () => {
    const { look } = given().lookUntilClear(EDITED);
    const edits = look.kind === 'good' ? look.edits.rows : null;
    expect(edits).toEqual([{ job: 'B', from: '9', to: '0', times: 'kept' }]);
  });

  test('has to stay as it is from its last change on', () => {
    const { look, pass } = given();
    look(EDITED);
    pass(STABLE_MS - 1);
    look(EDITED.replace('C,9', 'C,0'));
    pass(STABLE_MS - 1);
    expect(look(EDITED.replace('C,9', 'C,0'))).toEqual({ kind: 'wait', ms: 1 });
  });

  test('that changes all the time is never offered', () => {
    const { look, pass } = given();
    const kinds = new Set<string>();
    for (let version = 0; version < 1000; version++) {
      kinds.add(look(KNOWN.replace('B,9,,', `B,9,,${version}`)).kind);
      pass(STABLE_MS - 1);
    }
    expect([...kinds]).toEqual(['wait']);
  });

  test('that alternates with another one is never offered', () => {
    const { look, pass } = given();
    for (let time = 0; time < 10; time++) {
      expect(look(time % 2 ? EDITED : EDITED.replace('C,9', 'C,0')).kind).toBe('wait');
      pass(60_000);
    }
  });

  test('is waited for as long when the clock is set back', () => {
    const { look, pass } = given();
    look(EDITED);
    pass(-3_600_000);
    look(EDITED);
    pass(STABLE_MS);
    expect(look(EDITED).kind).toBe('good');
  });

  test('is not offered when the known one is back before', () => {
    const { look, pass } = given();
    look(EDITED);
    pass(STABLE_MS);
    expect(look(KNOWN)).toEqual({ kind: 'nothing-new' });
  });
});

describe('WAT-06 no version of somebody else', () => {
  test('is what we have written, or an identical rewrite of it', () => {
    expect(given().look(KNOWN)).toEqual({ kind: 'nothing-new' });
  });

  test('is what became known meanwhile', () => {
    const { look, pass, know } = given();
    look(EDITED);
    know(EDITED);
    pass(STABLE_MS);
    expect(look(EDITED)).toEqual({ kind: 'nothing-new' });
  });
});

/** Everything that a writer may leave for a moment. */
const HALF: [string, string | Buffer][] = [
  ['truncated to nothing', ''],
  ['cut in the header', KNOWN.slice(0, 12)],
  ['cut behind the header', KNOWN.slice(0, KNOWN.indexOf('A'))],
  ['cut in the middle of a row', KNOWN.slice(0, KNOWN.indexOf('D') + 2)],
  ['cut in a name', KNOWN.replace('D,9', 'LONG,9').slice(0, KNOWN.indexOf('D') + 2)],
  ['cut at a border of rows', KNOWN.slice(0, KNOWN.indexOf('D'))],
  ['cut before the last line end', KNOWN.slice(0, -1)],
  ['cut in a quoted cell', KNOWN.replace('D', '"D').slice(0, -1)],
  ['filled with zeros', Buffer.alloc(KNOWN.length)],
  ['with an end of zeros', Buffer.concat([Buffer.from(KNOWN.slice(0, 50)), Buffer.alloc(50)])],
  ['its end overwritten by its beginning', `${KNOWN.slice(0, 60)}${KNOWN}`],
];

describe('WAT-02 a version that may be half-written', () => {
  test.each(HALF)('is waited for longer: %s', (_, version) => {
    const { look, pass } = given();
    look(version);
    pass(PATIENT_MS - 1);
    expect(look(version)).toEqual({ kind: 'wait', ms: 1 });
  });

  test.each(HALF)('is forgotten when the whole one follows: %s', (_, version) => {
    const { look, pass } = given();
    look(version);
    pass(STABLE_MS);
    look(version);
    pass(STABLE_MS);
    expect(look(KNOWN)).toEqual({ kind: 'nothing-new' });
  });

  test('is waited for from its last change on', () => {
    const { look, pass } = given();
    const rows = KNOWN.split('\n').slice(0, -1);
    const kinds = rows.map((_, index) => {
      const seen = look(`${rows.slice(0, index).join('\n')}\n`).kind;
      pass(PATIENT_MS - 1);
      return seen;
    });
    expect(new Set(kinds)).toEqual(new Set(['wait']));
  });

  test('without problems is offered when it stays, and told to be cut off', () => {
    const { look, after } = given().lookUntilClear(KNOWN.slice(0, KNOWN.indexOf('D') - 2));
    expect([look.kind === 'good' && look.edits.isCutOff, after]).toEqual([true, PATIENT_MS]);
  });

  test('with rows less and a whole end is offered when it stays', () => {
    const { look, after } = given().lookUntilClear(KNOWN.slice(0, KNOWN.indexOf('D')));
    expect([look.kind === 'good' && look.edits.removed, after]).toEqual([['D'], PATIENT_MS]);
  });

  test('is not parsed before it has stayed for a moment', () => {
    const { look } = given();
    expect(look('"').kind).toBe('wait');
  });
});

describe('WAT-03 a version with problems', () => {
  const CYCLE = KNOWN.replace('C,9,,,', 'C,9,,,C');

  test('is refused with its first problem when it stays', () => {
    const { look, after } = given().lookUntilClear(CYCLE);
    expect([look.kind === 'refused' && look.event, after]).toEqual([
      expect.objectContaining({ type: 'version', outcome: 'refused', problems: 1 }),
      PATIENT_MS,
    ]);
  });

  test('is refused once and not again', () => {
    const { look, lookUntilClear, pass } = given();
    lookUntilClear(CYCLE);
    pass(3_600_000);
    expect(look(CYCLE)).toEqual({ kind: 'nothing-new' });
  });

  test('is over when the known one is back', () => {
    const { look, lookUntilClear } = given();
    lookUntilClear(CYCLE);
    expect([look(KNOWN), look(KNOWN)]).toEqual([{ kind: 'restored' }, { kind: 'nothing-new' }]);
  });

  test('is followed by a good one without a restart', () => {
    const { lookUntilClear } = given();
    lookUntilClear(CYCLE);
    expect(lookUntilClear(`${KNOWN}E,9,,,B\n`).look.kind).toBe('good');
  });

  test('is refused again when another one came between', () => {
    const { lookUntilClear } = given();
    lookUntilClear(CYCLE);
    lookUntilClear('job;status\n');
    expect(lookUntilClear(CYCLE).look.kind).toBe('refused');
  });

  test('is judged once more when it is to be reconsidered', () => {
    const { intake, lookUntilClear } = given();
    lookUntilClear(CYCLE);
    intake.reconsider();
    expect(lookUntilClear(CYCLE).look.kind).toBe('refused');
  });
});

describe('a version that is held', () => {
  test('is not offered again by itself', () => {
    const { intake, lookUntilClear } = given();
    lookUntilClear(EDITED);
    intake.hold(EDITED);
    expect(lookUntilClear(EDITED).look).toEqual({ kind: 'nothing-new' });
  });

  test('is over when the known one is back', () => {
    const { intake, look, lookUntilClear } = given();
    lookUntilClear(EDITED);
    intake.hold(EDITED);
    expect(look(KNOWN)).toEqual({ kind: 'restored' });
  });

  test('is offered once more with another edit on top of it', () => {
    const { intake, lookUntilClear } = given();
    lookUntilClear(EDITED);
    intake.hold(EDITED);
    expect(lookUntilClear(EDITED.replace('C,9', 'C,0')).look.kind).toBe('good');
  });
});

describe('a file that could not be read', () => {
  test('is restored when the known version is there again', () => {
    const { intake, look } = given();
    intake.forget();
    expect(look(KNOWN)).toEqual({ kind: 'restored' });
  });

  test('has to stay as it is from its return on', () => {
    const { intake, look, pass } = given();
    look(EDITED);
    pass(STABLE_MS);
    intake.forget();
    expect(look(EDITED)).toEqual({ kind: 'wait', ms: STABLE_MS });
  });
});

describe('one damaged byte in a file of UTF-8', () => {
  const JAPANESE = 'job,status,memo\nA,9,\nB,9,\nC,9,\n集計,9,夜間\n';
  const damaged = (at: number) => {
    const bytes = Buffer.from(JAPANESE.replace('A,9,', 'A,9,x'));
    bytes[bytes.indexOf('x')] = at;
    return bytes;
  };

  test('does not rename its jobs, although it can be read as CP932', () => {
    const { look } = given(JAPANESE).lookUntilClear(damaged(0xb1));
    const first = look.kind === 'refused' && look.event.type === 'version' && 'first' in look.event;
    expect([look.kind, first && look.event]).toEqual([
      'refused',
      { type: 'version', outcome: 'refused', problems: 1, first: { code: 'encoding', found: 'unknown' } },
    ]);
  });

  test('is another thing than a save in CP932, which keeps the names', () => {
    const saved = Buffer.from('job,status,memo\nA,9,\nB,9,\nC,9,\n\x8f\x57\x8c\x76,0,\n', 'latin1');
    const { look } = given(JAPANESE).lookUntilClear(saved);
    expect(look.kind === 'good' && look.edits).toMatchObject({ added: [], removed: [] });
  });
});
