import { createFakeNetFile } from '../../src/engine/fakes/net-file.js';
import { localTime } from '../../src/netfile/localtime.js';
import { createRig, sheetIn } from '../netfile/rig.js';
import { netFileContract, type Row } from './net-file.js';

const HEADER = 'job,status,stime,etime';
const TEXT = `${HEADER}\na,9,,\nb,9,,\n`;

netFileContract('on disk', () => {
  const { netFile, text, save, pass, flush } = createRig(TEXT, { listens: false });
  const row = (job: string): Row | undefined => {
    const lines = text().split('\n');
    const cells = lines.map((line) => line.split(',')).find(([name]) => name === job);
    return cells && [cells[1]!, cells[2]!, cells[3]!];
  };
  const settled = () => pass(10_000);
  const addRow = async (job: string) => {
    save(`${text()}${job},9,,\n`);
    await settled();
  };
  return { netFile, row, addRow, flush, settled };
});

netFileContract('the fake', () => {
  const netFile = createFakeNetFile(['a', 'b']);
  const row = (job: string): Row | undefined => {
    const cells = netFile.rows.get(job);
    return cells && [cells.status, timeText(cells.startedAt), timeText(cells.endedAt)];
  };
  const addRow = async (job: string) => {
    const { net } = sheetIn(`${TEXT}${job},9,,\n`);
    const edits = { rows: [], added: [job], removed: [], redefined: [], known: 2, isCutOff: false };
    netFile.offer({ net, edits, isAccepted: false });
  };
  return { netFile, row, addRow, flush: netFile.flush, settled: async () => {} };
});

function timeText(at: number | null | undefined): string {
  return at ? localTime(at) : '';
}
