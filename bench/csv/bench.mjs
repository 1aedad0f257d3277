/** `csv`: reading and checking a large net, beside csv-parse alone on the same text. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WrongResult } from '../harness/failures.mjs';
import { median, ratio } from '../harness/numbers.mjs';
import { disturbedLine, inRounds } from '../harness/rounds.mjs';
import { markdownTable, twoDecimals } from '../harness/table.mjs';
import { timed } from '../harness/timed.mjs';
import { chainCsv } from './chain.mjs';
import { verifyCycles } from './cycles.mjs';

/** Times of csv-parse alone: above it something of ours grows faster than the file. */
const GOAL = 6;
const JOBNET = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export const OPTIONS = {
  rounds: { value: 'N', help: 'rounds, each with every row once', default: 5, least: 1 },
  rows: { value: 'N', help: 'jobs in the chain', default: 100_000, least: 100 },
};

export async function run({ options: { rounds, rows }, folder, signal }) {
  const file = path.join(folder, 'chain.csv');
  writeFileSync(file, chainCsv(rows));
  const subjects = subjectsOf(file);
  const output = path.join(folder, 'output');
  const measured = await inRounds({ subjects, rounds, signal, unit: 'ms' }, async (subject) => {
    const { ms, foreignCores } = await timed(subject.command, { cwd: folder, output, signal });
    return { value: subject.isTimedInside ? timeInside(output, rows) : ms, foreignCores };
  });
  const times = measured.values;
  const overNode = times['check'].map((ms, round) => ms - times['node'][round]);
  const titles = [...subjects, { key: 'check-over-node', title: 'jobnet check without the start of Node' }];
  const table = titles.map(({ key, title }) => rowOf(key, title, { ...times, 'check-over-node': overNode }));
  const cycles = await verifyCycles({ rows, jobnet: JOBNET, folder, signal });
  const title = `A chain of ${rows} jobs in reverse order, rounds: ${rounds}`;
  const lines = ['', title, disturbedLine(measured), '', ...tableOf(table), '', ...cycles];
  return { lines, rows: table, disturbed: measured.disturbed, cycles, goals: goalsOf(table) };
}

function subjectsOf(file) {
  const node = process.execPath;
  return [
    {
      key: 'parse',
      title: 'csv-parse alone (inside its process)',
      command: [node, fileURLToPath(new URL('./measure-parse.mjs', import.meta.url)), file],
      isTimedInside: true,
    },
    {
      key: 'sheet',
      title: 'readSheet (inside its process)',
      command: [node, fileURLToPath(new URL('./measure-sheet.mjs', import.meta.url)), file],
      isTimedInside: true,
    },
    { key: 'check', title: 'jobnet check (whole command)', command: [node, JOBNET, 'check', '-f', file] },
    { key: 'node', title: 'node -e 0 (whole command)', command: [node, '-e', '0'] },
  ];
}

function timeInside(output, rows) {
  const { ms, rows: found } = JSON.parse(readFileSync(output, 'utf8'));
  if (found !== rows) throw new WrongResult(`${found} rows read, not ${rows}`);
  return ms;
}

function rowOf(key, title, times) {
  const own = times[key];
  return { key, title, ms: own, median: median(own), ofParse: ratio(own, times['parse']) };
}

function tableOf(rows) {
  const cells = rows.map(({ title, ms, median: middle, ofParse }) => {
    const spread = `${Math.round(Math.min(...ms))}..${Math.round(Math.max(...ms))}`;
    return [title, String(Math.round(middle)), spread, twoDecimals(ofParse)];
  });
  return markdownTable(['', 'ms', 'min..max', 'of csv-parse'], cells);
}

function goalsOf(rows) {
  return ['sheet', 'check-over-node'].map((key) => {
    const { title, ofParse } = rows.find((row) => row.key === key);
    const text = `${title} in ${GOAL} times csv-parse or less`;
    return { text, found: ofParse.toFixed(2), isMet: ofParse <= GOAL };
  });
}
