import { describe, expect, test } from 'vitest';
import { type Evidence, type Finding, judge } from '../../src/executor/judge.js';

const NOTHING: Evidence = {
  isSameBoot: true,
  records: { exitCode: null, hasStarted: false, wasTurnedAway: false },
  log: 'none',
  isLauncherAlive: false,
  isAnybodyLeft: false,
};

const records = (known: Partial<Evidence['records']>) => ({ records: { ...NOTHING.records, ...known } });

interface Row {
  readonly row: string;
  readonly seen: Partial<Evidence>;
  readonly finding: Finding;
}

/** "Rules for one attempt after a restart" of the protocol, row by row. */
const RULES: readonly Row[] = [
  {
    row: 'same boot, E: take the code',
    seen: { ...records({ exitCode: 3 }), log: 'present' },
    finding: { kind: 'exited', code: 3 },
  },
  {
    row: 'same boot, F or N: not started',
    seen: { ...records({ wasTurnedAway: true }), log: 'present' },
    finding: { kind: 'not-started' },
  },
  {
    row: 'same boot, N because there is no log: not started',
    seen: records({ wasTurnedAway: true }),
    finding: { kind: 'not-started' },
  },
  {
    row: 'same boot, X and S nowhere: not started',
    seen: { ...records({ wasTurnedAway: true }), log: 'present', isLauncherAlive: true },
    finding: { kind: 'not-started' },
  },
  {
    row: 'same boot, X here and S elsewhere, launcher alive: adopt',
    seen: { ...records({ wasTurnedAway: true, hasStarted: true }), log: 'present', isLauncherAlive: true },
    finding: { kind: 'living', knowsEnd: true },
  },
  {
    row: 'same boot, S, launcher alive: adopt and wait for E',
    seen: { ...records({ hasStarted: true }), log: 'present', isLauncherAlive: true, isAnybodyLeft: true },
    finding: { kind: 'living', knowsEnd: true },
  },
  {
    row: 'same boot, S, launcher gone, somebody left: running, end unknown',
    seen: { ...records({ hasStarted: true }), log: 'present', isAnybodyLeft: true },
    finding: { kind: 'living', knowsEnd: false },
  },
  {
    row: 'same boot, S, launcher gone, nobody left: lost',
    seen: { ...records({ hasStarted: true }), log: 'present' },
    finding: { kind: 'lost' },
  },
  {
    row: 'same boot, no record, void log: not started',
    seen: { log: 'void', isLauncherAlive: true },
    finding: { kind: 'not-started' },
  },
  {
    row: 'same boot, no record, no log, launcher alive: take the claim',
    seen: { isLauncherAlive: true },
    finding: { kind: 'unclaimed' },
  },
  {
    row: 'same boot, no record, no log, launcher gone: take the claim',
    seen: {},
    finding: { kind: 'unclaimed' },
  },
  {
    row: 'same boot, no record, a log, launcher alive: wait a moment',
    seen: { log: 'present', isLauncherAlive: true },
    finding: { kind: 'undecided' },
  },
  {
    row: 'same boot, no record, a log, launcher gone: not started',
    seen: { log: 'present' },
    finding: { kind: 'not-started' },
  },
  {
    row: 'other boot, E: take the code',
    seen: { isSameBoot: false, ...records({ exitCode: 0, hasStarted: true }), log: 'present' },
    finding: { kind: 'exited', code: 0 },
  },
  {
    row: 'other boot, S: lost',
    seen: { isSameBoot: false, ...records({ hasStarted: true }), log: 'present' },
    finding: { kind: 'lost' },
  },
  {
    row: 'other boot, F: lost',
    seen: { isSameBoot: false, ...records({ wasTurnedAway: true }), log: 'present' },
    finding: { kind: 'lost' },
  },
  {
    row: 'other boot, neither record nor log: lost',
    seen: { isSameBoot: false },
    finding: { kind: 'lost' },
  },
];

test.each(RULES)('$row', ({ seen, finding }) => {
  expect(judge({ ...NOTHING, ...seen })).toEqual(finding);
});

const YES_NO = [true, false];

/** Every combination of what can be seen. */
const ALL: readonly Evidence[] = YES_NO.flatMap((isSameBoot) =>
  [null, 0, 137].flatMap((exitCode) =>
    YES_NO.flatMap((hasStarted) =>
      YES_NO.flatMap((wasTurnedAway) =>
        (['none', 'void', 'present'] as const).flatMap((log) =>
          YES_NO.flatMap((isLauncherAlive) =>
            YES_NO.map((isAnybodyLeft) => ({
              isSameBoot,
              records: { exitCode, hasStarted, wasTurnedAway },
              log,
              isLauncherAlive,
              isAnybodyLeft,
            })),
          ),
        ),
      ),
    ),
  ),
);

/** The combinations for which a law does not hold. */
const breaking = (law: (seen: Evidence, found: Finding) => boolean) =>
  ALL.filter((seen) => !law(seen, judge(seen)));

describe('whatever is seen', () => {
  test('a recorded exit code is always taken, and no other', () => {
    const law = ({ records }: Evidence, found: Finding) =>
      records.exitCode === null
        ? found.kind !== 'exited'
        : found.kind === 'exited' && found.code === records.exitCode;
    expect(breaking(law)).toEqual([]);
  });

  test('an attempt that has a log is never taken for unclaimed', () => {
    expect(breaking(({ log }, { kind }) => log === 'none' || kind !== 'unclaimed')).toEqual([]);
  });

  test('an attempt that has started is never taken for not started', () => {
    const isOver = (kind: string) => kind === 'not-started' || kind === 'unclaimed';
    expect(breaking(({ records }, { kind }) => !records.hasStarted || !isOver(kind))).toEqual([]);
  });

  test('nothing of another boot lives, or may be launched again', () => {
    expect(
      breaking(({ isSameBoot }, { kind }) => isSameBoot || kind === 'exited' || kind === 'lost'),
    ).toEqual([]);
  });

  test('an attempt is lost in this boot only when it has started and nobody is left', () => {
    const law = (seen: Evidence, { kind }: Finding) =>
      kind !== 'lost' ||
      !seen.isSameBoot ||
      (seen.records.hasStarted && !seen.isLauncherAlive && !seen.isAnybodyLeft);
    expect(breaking(law)).toEqual([]);
  });

  test('what lives in this boot is living until its end is recorded', () => {
    const law = (seen: Evidence, { kind }: Finding) =>
      !seen.isSameBoot || !seen.isAnybodyLeft || kind === 'living' || kind === 'exited';
    expect(breaking(law)).toEqual([]);
  });

  test('nothing is living without a living proof', () => {
    const law = (seen: Evidence, { kind }: Finding) =>
      kind !== 'living' || seen.isAnybodyLeft || seen.isLauncherAlive;
    expect(breaking(law)).toEqual([]);
  });

  test('an end is expected only from a launcher that lives and has started it', () => {
    const law = (seen: Evidence, found: Finding) =>
      found.kind !== 'living' || !found.knowsEnd || (seen.isLauncherAlive && seen.records.hasStarted);
    expect(breaking(law)).toEqual([]);
  });

  test('only a living launcher is waited for', () => {
    expect(breaking(({ isLauncherAlive }, { kind }) => kind !== 'undecided' || isLauncherAlive)).toEqual([]);
  });
});
