/** The net of the storm: layers behind gates that the test opens, so that the run lasts as long as the storm. */
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Line, readLines } from '../../src/journal/lines.js';
import { createBench, type NetBench, type Steered, until } from './workbench.js';

/** What one row is, and what a person may still do to it. */
export interface StormJob {
  readonly name: string;
  readonly layer: number;
  readonly before: string[];
  /** Its first attempt fails. */
  readonly isFrail: boolean;
}

export interface StormNet {
  readonly net: NetBench;
  readonly jobs: readonly StormJob[];
  /** One for each layer, and one behind them that keeps the run open. */
  readonly gates: readonly Steered[];
  /** Scripts for rows that come during the storm. */
  readonly spare: string[];
}

export interface StormSize {
  readonly jobs: number;
  readonly layers: number;
  readonly rewrites: number;
}

const SPARE = 12;
const SCRIPT = `#!/bin/sh\nprintf '%s\\n' "$JOBNET_JOB.$JOBNET_ATTEMPT" >>effects.txt\n`;

export function createStormNet({ jobs: count, layers }: StormSize, next: () => number): StormNet {
  const gateNames = Array.from({ length: layers + 1 }, (_, index) => `G${index}`);
  const width = Math.floor((count - gateNames.length) / layers);
  const jobs = Array.from({ length: width * layers }, (_, index): StormJob => {
    const layer = Math.floor(index / width);
    const above = `J${layer - 1}_${Math.floor(next() * width)}`;
    const before = [gateNames[layer]!, ...(layer === 0 ? [] : [above])];
    return { name: `J${layer}_${index % width}`, layer, before, isFrail: next() < 0.08 };
  });
  const rows = [
    ...gateNames.map((gate, index) => `${gate},9,,,${gateNames[index - 1] ?? ''},,,gate`),
    ...jobs.map(({ name, before }) => `${name},9,,,${before[0]},${before[1] ?? ''},,${memoAtFirst(next)}`),
  ];
  const net = createBench(`job,status,stime,etime,prev1,prev2,prev3,memo\n${rows.join('\n')}\n`);
  const gates = gateNames.map((gate) => net.steered(gate));
  const spare = Array.from({ length: SPARE }, (_, index) => `NEW${index}`);
  const steady = path.join(net.folder, 'steady');
  const frail = path.join(net.folder, 'frail');
  writeFileSync(steady, SCRIPT, { mode: 0o755 });
  writeFileSync(frail, `${SCRIPT}[ "$JOBNET_ATTEMPT" -gt 1 ]\n`, { mode: 0o755 });
  for (const { name, isFrail } of jobs) {
    linkSync(isFrail ? frail : steady, path.join(net.folder, 'jobs', name));
  }
  for (const name of spare) linkSync(steady, path.join(net.folder, 'jobs', name));
  return { net, jobs, gates, spare };
}

function memoAtFirst(next: () => number): string {
  return next() < 0.3 ? '"said ""soon"", then nothing"' : '～ first';
}

/** The record of the only run, read on from where the last look ended. */
export interface Tail {
  look(): readonly Line[];
}

export async function createTail({ folder }: NetBench): Promise<Tail> {
  const runs = path.join(folder, '.jobnet/jobnet.csv/runs');
  const file = await until(() => {
    try {
      const names = readdirSync(runs, { recursive: true, encoding: 'utf8' });
      return names.find((name) => name.endsWith('.jsonl'));
    } catch {
      return null;
    }
  });
  const lines: Line[] = [];
  let offset = 0;
  return {
    look: () => {
      const found = readLines(readFileSync(path.join(runs, file)).subarray(offset));
      lines.push(...found.lines);
      offset += found.ends.at(-1) ?? 0;
      return lines;
    },
  };
}
