/** What must be true after a storm, whatever it was: in the effects of the jobs, in the record and in the file. */
import { expect } from 'vitest';
import type { Event } from '../../src/core/words.js';
import { localTime } from '../../src/netfile/localtime.js';
import type { Storm } from './storm.js';
import { memosIn } from './storm-saves.js';

export function checkStorm(storm: Storm): void {
  const { seed, finished, net, tail } = storm;
  const events = tail.look().flatMap(({ event }) => (event.type === 'seal' ? [] : [event]));
  const inSeed = (what: string) => `seed ${seed}: ${what}`;
  expect(finished.code, inSeed(finished.out.slice(-2000) + finished.err)).toBe(0);
  expect(net.effects().sort(), inSeed('attempts that ran')).toEqual(expectedEffects(storm));
  expect(handsIn(events), inSeed('edits that were obeyed')).toEqual(expectedHands(storm));
  expect(versionsIn(events), inSeed('rows that came and went')).toEqual({
    added: storm.expected.added,
    removed: [],
    redefined: storm.expected.redefined.size - storm.expected.added.length,
  });
  const stale = events.filter((event) => event.type === 'edit' && event.outcome === 'stale');
  expect(stale.length, inSeed('old copies reported')).toBeGreaterThanOrEqual(storm.expected.stale);
  expect(earlyStarts(storm, events), inSeed('jobs before their predecessors')).toEqual([]);
  checkFile(storm, inSeed);
}

/** One line for each attempt. */
function expectedEffects({ jobs, gates, expected }: Storm): string[] {
  const names = [...jobs.map(({ name }) => name), ...expected.added];
  return [
    ...gates.map((_, index) => `G${index}`),
    ...names.map((name) => `${name}.1`),
    ...expected.rerun.map((name) => `${name}.2`),
  ].sort();
}

function handsIn(events: readonly Event[]): string[] {
  return events
    .flatMap((event) => {
      const isHand =
        event.type === 'abended' ? event.reason.kind === 'by-hand' : 'by' in event && 'job' in event;
      return isHand && 'job' in event ? [`${event.type} ${event.job}`] : [];
    })
    .sort();
}

function expectedHands({ expected }: Storm): string[] {
  return [
    ...expected.settled.map((name) => `settled ${name}`),
    ...expected.rerun.map((name) => `rerun ${name}`),
  ].sort();
}

function versionsIn(events: readonly Event[]) {
  const taken = events.flatMap((event) =>
    event.type === 'version' && event.outcome === 'taken' ? [event] : [],
  );
  return {
    added: taken.flatMap(({ added }) => added),
    removed: taken.flatMap(({ removed }) => removed),
    redefined: taken.reduce((sum, { redefined }) => sum + redefined, 0),
  };
}

/** Jobs that were launched before a predecessor was settled for the first time. */
function earlyStarts({ jobs, expected }: Storm, events: readonly Event[]): string[] {
  const first = (types: readonly string[]) => {
    const found = new Map<string, number>();
    events.forEach((event, index) => {
      if ('job' in event && types.includes(event.type) && !found.has(event.job)) found.set(event.job, index);
    });
    return found;
  };
  const launched = first(['launching']);
  const settled = first(['ended', 'settled']);
  const before = new Map(jobs.map((job) => [job.name, [...job.before]]));
  for (const [name, further] of expected.redefined) before.set(name, [...(before.get(name) ?? []), further]);
  return Array.from(before).flatMap(([name, all]) =>
    all.filter((one) => !(settled.get(one)! < launched.get(name)!)).map((one) => `${name} before ${one}`),
  );
}

/** Every row is settled, says the times of the record, and is as its people left it everywhere else. */
function checkFile({ net, expected, jobs }: Storm, inSeed: (what: string) => string): void {
  const status = net.statusJson();
  const text = net.read();
  const rows = text
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  const time = (at: string | null) => (at === null ? '' : localTime(Date.parse(at)));
  expect(
    rows.map((cells) => cells.slice(0, 4)),
    inSeed('rows'),
  ).toEqual(status.jobs.map(({ job, startedAt, endedAt }) => [job, '0', time(startedAt), time(endedAt)]));
  const memos = memosIn(text);
  const wrong = [...expected.memos].filter(([job, memo]) => memos.get(job) !== memo);
  expect(wrong, inSeed('memos')).toEqual([]);
  const shown = new Map(status.jobs.map(({ job, predecessors }) => [job, predecessors]));
  const missing = [...expected.redefined].filter(([job, before]) => !shown.get(job)?.includes(before));
  expect(missing, inSeed('predecessors')).toEqual([]);
  const attempts = status.jobs.filter(
    ({ job, attempt }) => attempt !== (expected.rerun.includes(job) ? 2 : 1),
  );
  expect([attempts, status.jobs.length - rows.length], inSeed('attempts')).toEqual([[], 0]);
  expect(rows.length, inSeed('number of rows')).toBeGreaterThan(jobs.length);
}
