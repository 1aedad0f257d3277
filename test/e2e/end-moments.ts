/** TERM at the moments round the end of a net's last job, and what must agree whichever it was. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parseRecords } from '../../src/executor/records.js';
import { journalOf } from './journal.js';
import {
  createBench,
  csvOf,
  type Finished,
  type NetBench,
  type Running,
  type Steered,
  until,
} from './workbench.js';

interface Ending {
  readonly net: NetBench;
  readonly running: Running;
  readonly last: Steered;
  readonly code: number;
}

/** What is done in which order; each moment sends TERM once or twice. */
export const MOMENTS: Readonly<Record<string, (ending: Ending) => Promise<void>>> = {
  'before the last job is let go': async ({ running, last, code }) => {
    term(running);
    await last.exit(code);
  },
  'when that has been said, before the last job is let go': async ({ running, last, code }) => {
    term(running);
    await running.said('nothing new is started');
    await last.exit(code);
  },
  'as the last job is let go': after(() => true),
  'when its launcher has recorded its end': after(({ net }) => recordedEnd(net)),
  'when its end is on record': after(({ net }) => journaled(net, 'ended', 'abended')),
  'when its end is said': after(({ running }) => /LAST {2}(ended|abended)/.test(running.out())),
  'when its row is written': after(({ net }) => net.statuses()['LAST'] !== '2'),
  'when the run has closed': after(({ net }) => journaled(net, 'closed')),
  'when the summary is there': after(({ net }) => filesOf(net, 'summary.json').length > 0),
  'twice, as the last job is let go and when its end is on record': async (ending) => {
    await MOMENTS['as the last job is let go']!(ending);
    await until(() => journaled(ending.net, 'ended', 'abended'));
    term(ending.running);
  },
};

/** A net of which A has ended and LAST waits, brought to its end with TERM at a moment. */
export async function endedAt(moment: string, code: number): Promise<{ net: NetBench; finished: Finished }> {
  const net = createBench(csvOf([['A'], ['LAST', 'A']]), { jobs: ['A'] });
  const last = net.steered('LAST');
  const running = net.start('start');
  await last.started();
  await until(() => net.statuses()['LAST'] === '2');
  await MOMENTS[moment]!({ net, running, last, code });
  return { net, finished: await running.finished };
}

/** CSV, journal, summary and status say the same of the same end. */
export function checkAgreement(net: NetBench, { code: exitCode }: Finished, code: number): void {
  const [word, row] = code === 0 ? (['ended', '0'] as const) : (['abended', '1'] as const);
  const closed = journalOf(net).flatMap((event) => (event.type === 'closed' ? [event.as] : []));
  const summaries = filesOf(net, 'summary.json').map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const { run, controller, counts, csv, jobs } = net.statusJson();
  const rows = { A: '0', LAST: row };
  const state = run!.state;
  expect({
    closed,
    summaries: summaries.map(({ state, counts: { ended, abended } }) => ({ state, ended, abended })),
    status: { ended: counts['ended'], abended: counts['abended'] },
    controller,
    csv: csv.state,
    jobs: jobs.map(({ job, status }) => [job, status]),
    shown: Object.fromEntries(jobs.map((job) => [job.job, job.csv])),
    rows: net.statuses(),
  }).toEqual({
    closed: [state],
    summaries: [{ state, ended: code === 0 ? 2 : 1, abended: code === 0 ? 0 : 1 }],
    status: { ended: code === 0 ? 2 : 1, abended: code === 0 ? 0 : 1 },
    controller: null,
    csv: 'current',
    jobs: [
      ['A', 'ended'],
      ['LAST', word],
    ],
    shown: rows,
    rows,
  });
  const times = ['A', 'LAST'].map((job) => new RegExp(`^${job},${rows[job as 'A']},\\d[^,]+,\\d[^,]+,`, 'm'));
  for (const time of times) expect(net.read()).toMatch(time);
  // A net that is settled has ended, whoever wanted to stop it.
  expect(state).toBe(word);
  expect(exitsOf(net, state)).toContain(exitCode);
}

/** Null: TERM came when everything was in order, and nobody listened to it any more. */
function exitsOf(net: NetBench, state: string): (number | null)[] {
  const wasStopped = journalOf(net).some(({ type }) => type === 'stopping');
  return [state === 'ended' ? 0 : wasStopped ? 143 : 1, null];
}

function after(look: (ending: Ending) => boolean): (ending: Ending) => Promise<void> {
  return async (ending) => {
    await ending.last.exit(ending.code);
    await until(() => look(ending));
    term(ending.running);
  };
}

function term({ child }: Running): void {
  child.kill('SIGTERM');
}

function journaled(net: NetBench, ...types: string[]): boolean {
  return journalOf(net).some((event) => types.includes(event.type) && !('job' in event && event.job === 'A'));
}

function recordedEnd(net: NetBench): boolean {
  const records = filesOf(net, /\/exits\/\d+-\d+$/).flatMap((file) =>
    parseRecords(readFileSync(file, 'utf8')),
  );
  return records.some(({ kind, id }) => kind === 'E' && id === 'LAST.1');
}

function filesOf({ folder }: NetBench, name: string | RegExp): string[] {
  const runs = path.join(folder, '.jobnet/jobnet.csv/runs');
  return readdirSync(runs, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    (typeof name === 'string' ? file.endsWith(`/${name}`) : name.test(file)) ? [path.join(runs, file)] : [],
  );
}
