/** Runs that are ended at one point and gone on with, and what must be true of them afterwards. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parseRecords } from '../../src/executor/records.js';
import { createBench, csvOf, type Finished, type NetBench } from '../e2e/workbench.js';
import { checkJournal } from './journal-laws.js';

export type Victims = 'controller' | 'launchers' | 'both';

/** A job that leaves one line for each time it was started. */
const COUNTED = '#!/bin/sh\necho "$JOBNET_JOB.$JOBNET_ATTEMPT" >>effects.txt\n';

export type Rows = readonly (readonly string[])[];

export const THREE: Rows = [['A'], ['B', 'A'], ['C', 'A']];

export function countedNet(rows: Rows): NetBench {
  const net = createBench(csvOf(rows));
  for (const [job] of rows) net.script(job!, COUNTED);
  return net;
}

/** A command whose engine ends at a point; a code of null: it was killed there. */
export async function crashAt(
  net: NetBench,
  point: number,
  victims: Victims,
  ...args: string[]
): Promise<Finished> {
  const env = {
    NODE_OPTIONS: `--import ${new URL('hook.mjs', import.meta.url).href}`,
    CRASH_AT: String(point),
    CRASH_KILLS: victims,
  };
  return await net.startWith({ env }, ...args).finished;
}

/** Goes on until all is settled. */
export async function goOn(net: NetBench, victims: Victims): Promise<void> {
  const { code, out, err } = await net.start('resume', ...(victims === 'controller' ? [] : ['--rerun-lost']))
    .finished;
  expect(`${code}\n${out}${err}`).toMatch(/^0\n/);
}

/** What must be true of a run that has ended normally, whatever happened to it on the way. */
export function checkHistory(net: NetBench, victims: Victims): void {
  const started = startedIn(net);
  const effects = countOf(net.effects());
  for (const [id, count] of effects) {
    if (count !== 1 || !started.has(id)) throw new Error(`${id} ran ${count} times, ${[...started]}`);
  }
  // A launcher that was killed between its record and the start is the one case of a record without a run.
  if (victims === 'controller') expect([...effects.keys()].sort()).toEqual([...started].sort());
  const status = net.statusJson();
  checkJournal(net, status);
  expect(status.run?.state).toBe('ended');
  expect(new Set(status.jobs.map(({ csv }) => csv))).toEqual(new Set(['0']));
}

/** JOB.ATTEMPT of all that launchers of any run say they started. */
function startedIn({ folder }: NetBench): Set<string> {
  const state = path.join(folder, '.jobnet/jobnet.csv/runs');
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\/exits\/\d+-\d+$/.test(file),
  );
  const records = files.flatMap((file) => parseRecords(readFileSync(path.join(state, file), 'utf8')));
  return new Set(records.flatMap(({ kind, id }) => (kind === 'S' ? [id] : [])));
}

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
