/** SCA-02: ten thousand jobs, one of which waits for half of them: the file is checked, its journal is replayed. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/words.js';
import { FORMAT } from '../../src/journal/lines.js';
import { createRun, runId } from '../../src/journal/runs.js';
import { prepareStateFolder, stateFolderOf } from '../../src/journal/statefolder.js';
import { openJournal } from '../../src/journal/writer.js';
import { createBench, type NetBench } from './workbench.js';

const JOBS = Array.from({ length: 9999 }, (_, index) => `J${index + 1}`);
const JOINED = JOBS.slice(0, 5000);

function csv(): string {
  const columns = JOINED.map((_, index) => `prev${index + 1}`);
  const rows = JOBS.map((job) => `${job},9,,,true`);
  return [`job,status,stime,etime,command,${columns}`, ...rows, `END,9,,,true,${JOINED}`, ''].join('\n');
}

/** The journal of a run in which these jobs have ended, as a controller leaves it. */
async function recordRun({ file, folder }: NetBench, jobs: readonly string[], as: 'ended' | 'stopped') {
  const state = stateFolderOf(file, null);
  prepareStateFolder(state);
  const startedAt = Date.now();
  const fixed = { user: '', path: '', locale: 'C', shell: '/bin/sh', version: '0' };
  const record = { format: FORMAT, run: runId(startedAt, 1), epoch: 1, startedAt, file, folder, ...fixed };
  const run = createRun(state, record);
  const journal = openJournal({
    folder: run.journal,
    epoch: 1,
    seal: null,
    nextSeq: 1,
    at: startedAt,
    look: () => {},
  });
  const ends = jobs.flatMap((job): Event[] => [
    { type: 'launching', job, attempt: 1, script: '', interpreter: null },
    { type: 'running', job, attempt: 1 },
    { type: 'ended', job, attempt: 1 },
  ]);
  const begun: Event = { type: 'begun', mode: 'start', limit: 4, keepGoing: false };
  journal.append([begun, ...ends, { type: 'closed', as }], startedAt);
  await journal.commit();
  await journal.close();
}

test('SCA-02: 10,000 rows with 5,000 prev columns pass the check', () => {
  const net = createBench(csv());
  const { code, out } = net.run('check');
  expect([code, out]).toEqual([0, expect.stringContaining('10000 jobs, 2 deep, ready to run')]);
});

test.each([
  ['of a whole run', [...JOBS, 'END'], 'ended', 0],
  ['of half a run', JOINED, 'stopped', 5000],
] as const)('SCA-02: the journal %s of them is replayed by status and resume', async (_, jobs, as, left) => {
  const net = createBench(csv());
  await recordRun(net, jobs, as);
  const { run, counts, jobs: shown } = net.statusJson();
  expect([run?.state, counts['ended'], counts['waiting']]).toEqual([as, jobs.length, left]);
  expect(shown.at(-1)).toMatchObject({ job: 'END', status: left === 0 ? 'ended' : 'waiting' });
  const { code, out } = net.run('resume', '--dry-run');
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^To run: ${left} jobs$[\\s\\S]*^Kept: ${jobs.length} jobs`, 'm'));
});
