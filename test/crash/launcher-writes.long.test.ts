/** A launcher is killed before each of its system calls, one after the other (strace of Linux). */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LauncherIdentity } from '../../src/core/words.js';
import { voidAttempt } from '../../src/executor/evidence.js';
import type { Finding } from '../../src/executor/judge.js';
import { parseRecords } from '../../src/executor/records.js';
import { readStat } from '../../src/host/identity.js';
import { identify, J, launcher, look, startLauncher } from '../executor/evidence-rig.js';
import { type HandLauncher, SHELLS, type Shell } from '../executor/shells.js';
import { script, tempFolder, until } from '../executor/support.js';
import { at, killing, mayBeMissing, type Point, pointsIn, STRACE, tracing } from './strace.js';

test.runIf(process.env['CI'])('strace is installed', () => {
  expect(STRACE).not.toBeNull();
});

/** Its ready, its start and its end as records, and the first and the last of them as answers. */
const WRITES = 5;
const RUNNABLE = SHELLS.filter(({ program }) => program);

test.skipIf(mayBeMissing).each(RUNNABLE)('what is found of its attempt is true: $name', async (shell) => {
  const named = linked(shell);
  const points = await pointsOfOneJob(named);
  const found = new Map<string, number>();
  for (const point of points) {
    try {
      const kind = await visit(named, point);
      found.set(kind, (found.get(kind) ?? 0) + 1);
    } catch (error) {
      throw new Error(at(point), { cause: error });
    }
  }
  const writes = points.filter(({ call }) => call === 'write').length;
  const kinds = [...found].map(([kind, count]) => `${kind} ${count}`).join('; ');
  console.log(
    `crashes: ${writes} points of a launcher's writes in ${shell.name}, ${points.length} of all its calls: ${kinds}`,
  );
  expect(writes).toBeGreaterThanOrEqual(WRITES);
  expect(points.length).toBeGreaterThan(40);
  expect([...found.keys()].sort()).toEqual(['exited, ran', 'lost', 'lost, ran', 'not-started', 'unclaimed']);
});

/** By a link of the name that it is called: strace passes on no other one. */
function linked({ program, ...shell }: Shell): Shell {
  const link = path.join(tempFolder(), shell.argv0);
  symlinkSync(program!, link);
  return { ...shell, program: link };
}

/** All calls of a launcher that starts one job. */
async function pointsOfOneJob(shell: Shell): Promise<Point[]> {
  const trace = path.join(tempFolder(), 'trace');
  const { wasKilled } = await live(shell, tracing(trace));
  expect(wasKilled).toBe(false);
  return pointsIn(readFileSync(trace, 'utf8'));
}

/** Says what was found, and whether the job ran. */
async function visit(shell: Shell, point: Point): Promise<string> {
  const life = await live(shell, killing(point));
  expect(life.wasKilled).toBe(true);
  const { own, identities } = life;
  const find = () => look(own.folder, ...identities).finding;
  await until(() => find().kind !== 'living');
  const finding = find();
  expect(finding).toEqual(truthOf(own));
  const runs = runsOf(own);
  expect(RUNS[finding.kind]).toContain(runs);
  if (finding.kind === 'unclaimed') expect(voidAttempt(own.folder, J, 8)).toBe(true);
  await expectNeverStarted(own);
  expect(find()).toEqual(finding.kind === 'unclaimed' ? { kind: 'not-started' } : finding);
  expect(runsOf(own)).toBe(runs);
  return runs === 0 ? finding.kind : `${finding.kind}, ran`;
}

interface Life {
  readonly own: HandLauncher;
  /** None when it died before anybody could know who it is. */
  readonly identities: readonly LauncherIdentity[];
  readonly wasKilled: boolean;
}

/** The job runs out of this code. */
const CODE = 3;
const JOB = `#!/bin/sh\necho ran >>effects.txt\nexit ${CODE}\n`;

/** Of one launcher under strace, which is given J.1 once it is ready and leaves behind it. */
async function live(shell: Shell, options: readonly string[]): Promise<Life> {
  const own = startLauncher(shell, { wrapper: ['strace', ...options] });
  script(path.join(own.folder, 'J'), JOB);
  const ready = await own.answer();
  const identities = ready !== undefined && readStat(own.pid) ? [identify(own)] : [];
  if (identities.length > 0) {
    own.feed('J', 1, './J');
    await own.answer();
  }
  own.child.stdin!.end();
  const [, signal] = await own.left;
  return { own, identities, wasKilled: signal === 'SIGKILL' };
}

/** How often the job may have run. */
const RUNS: Record<Finding['kind'], readonly number[]> = {
  exited: [1],
  lost: [0, 1],
  'not-started': [0],
  unclaimed: [0],
  living: [],
  undecided: [],
};

function runsOf({ folder }: HandLauncher): number {
  const effects = path.join(folder, 'effects.txt');
  return existsSync(effects) ? readFileSync(effects, 'utf8').split('\n').length - 1 : 0;
}

/** From what the launcher did before it died. */
function truthOf(own: HandLauncher): Finding {
  const kinds = parseRecords(own.records()).map(({ kind }) => kind);
  if (kinds.includes('E')) return { kind: 'exited', code: CODE };
  if (kinds.includes('S')) return { kind: 'lost' };
  return { kind: existsSync(own.logPath('J')) ? 'not-started' : 'unclaimed' };
}

/** Whoever gets the attempt next. */
async function expectNeverStarted({ folder }: HandLauncher): Promise<void> {
  const next = await launcher({ folder, name: '8-1' });
  expect(await next.run('J', './J')).toBe('X - J.1');
  next.child.stdin!.end();
  await next.left;
}
