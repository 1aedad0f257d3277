/** What the journals of a net hold, all runs one after the other. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Event } from '../../src/core/words.js';
import type { NetBench } from './workbench.js';

export function journalOf(net: NetBench): Event[] {
  const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const files = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const lines = files.sort().flatMap((file) => readFileSync(path.join(runs, file), 'utf8').split('\n'));
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
