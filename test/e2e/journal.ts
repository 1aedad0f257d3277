/** What the journals of a net hold, all runs one after the other. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordedEvent } from '../../src/core/replay.js';
import type { Event } from '../../src/core/words.js';
import { readJournal } from '../../src/journal/replay.js';
import type { NetBench } from './workbench.js';

/** Every whole line that stands there, whether it counts or not. */
export function journalOf(net: NetBench): Event[] {
  const runs = runsOf(net);
  const files = filesIn(runs).filter((file) => file.endsWith('.jsonl'));
  const lines = files.flatMap((file) => readFileSync(path.join(runs, file), 'utf8').split('\n'));
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

/** What counts, by the chain of seals. */
export function recordsOf(net: NetBench): RecordedEvent[] {
  const runs = runsOf(net);
  const folders = filesIn(runs).filter((file) => path.basename(file) === 'journal');
  return folders.flatMap((folder) => readJournal(path.join(runs, folder)).records);
}

function runsOf({ folder }: NetBench): string {
  return path.join(folder, '.jobnet/jobnet.csv/runs');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
