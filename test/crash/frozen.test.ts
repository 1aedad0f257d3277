/** A controller that is stopped, followed by another, and woken again. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { readJournal } from '../../src/journal/replay.js';
import { journalOf } from '../e2e/journal.js';
import { createBench, csvOf, type NetBench, until } from '../e2e/workbench.js';

/** What counts of the only run. */
function historyOf({ folder }: NetBench): string[] {
  const runs = path.join(folder, '.jobnet/jobnet.csv/runs');
  const [journal] = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/journal'),
  );
  const { records } = readJournal(path.join(runs, journal!))!;
  return records.map(({ event }) => ('job' in event ? `${event.type} ${event.job}` : event.type));
}

test('LOC-07: finds the higher epoch when it wakes, and stops without a trace; no job runs twice', async () => {
  const net = createBench(csvOf([['A'], ['B', 'A'], ['C', 'B']]), { jobs: ['B', 'C'] });
  const a = net.steered('A');
  const first = net.start('start');
  await a.started();
  await until(() => journalOf(net).some(({ type }) => type === 'running'));
  first.child.kill('SIGSTOP');
  await until(() => readStat(first.pid)?.life === 'frozen');
  const refused = net.run('resume');
  expect([refused.code, refused.err]).toEqual([11, expect.stringContaining('it is stopped (SIGSTOP)')]);

  // A person who knows better takes the claim away.
  const claims = '.jobnet/jobnet.csv/claims';
  expect(net.run('lock', 'break', 'controller', '--dir', claims, '--reason', 'test').code).toBe(0);
  const second = net.start('resume');
  await second.said('A #1  still runs');
  await a.exit(0);
  expect((await second.finished).code).toBe(0);
  const before = { text: net.read(), history: historyOf(net) };

  first.child.kill('SIGCONT');
  const { code, err } = await first.finished;
  expect([code, err]).toEqual([11, expect.stringContaining('another controller has taken over')]);
  // What it wrote before it looked lies behind the seal, and counts for nothing.
  expect({ text: net.read(), history: historyOf(net) }).toEqual(before);
  expect(before.history.filter((event) => event.startsWith('ended'))).toEqual([
    'ended A',
    'ended B',
    'ended C',
  ]);
  expect(net.effects()).toEqual(['A', 'B', 'C']);
  expect(net.statusJson()).toMatchObject({ run: { state: 'ended' }, counts: { ended: 3 } });
});
