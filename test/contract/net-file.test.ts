import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { createFakeNetFile } from '../../src/engine/fakes/net-file.js';
import { localTime } from '../../src/netfile/localtime.js';
import { createNetFile } from '../../src/netfile/netfile.js';
import { netFileContract, type Row } from './net-file.js';
import { tempFolder } from './temp-folder.js';

netFileContract('on disk', () => {
  const folder = tempFolder();
  const file = path.join(folder, 'jobnet.csv');
  const outFolder = path.join(folder, 'out');
  mkdirSync(outFolder);
  writeFileSync(file, 'job,status,stime,etime\na,9,,\nb,9,,\n');
  const netFile = createNetFile({ file, outFolder, clock: createFakeClock(), onTrouble: () => {} });
  const row = (job: string): Row | undefined => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const cells = lines.map((line) => line.split(',')).find(([name]) => name === job);
    return cells && [cells[1]!, cells[2]!, cells[3]!];
  };
  return { netFile, row };
});

netFileContract('the fake', () => {
  const netFile = createFakeNetFile(['a', 'b']);
  const row = (job: string): Row | undefined => {
    const cells = netFile.rows.get(job);
    return cells && [cells.status, timeText(cells.startedAt), timeText(cells.endedAt)];
  };
  return { netFile, row };
});

function timeText(at: number | null | undefined): string {
  return at ? localTime(at) : '';
}
