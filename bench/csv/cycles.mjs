/** Cycles planted in the chain: `jobnet check --json` must name them as closed paths, however long they are. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WrongResult } from '../harness/failures.mjs';
import { timed } from '../harness/timed.mjs';
import { chainCsv, chainName } from './chain.mjs';

/** Jobs in the short cycle; the rest of the chain hangs on it from both sides. */
const SHORT = 6;
const BAD_NET = 3;

/** @returns lines that say what was found */
export async function verifyCycles({ rows, jobnet, folder, signal }) {
  const middle = Math.floor(rows / 2);
  const planted = [
    { title: 'the whole chain as one cycle', first: 0, last: rows - 1 },
    { title: `a cycle of ${SHORT} in its middle`, first: middle - SHORT + 1, last: middle },
  ];
  const lines = [];
  for (const [index, { title, first, last }] of planted.entries()) {
    const file = path.join(folder, `cycle-${index}.csv`);
    writeFileSync(file, chainCsv(rows, { row: last, predecessor: first }));
    const output = path.join(folder, `cycle-${index}.json`);
    const command = [process.execPath, jobnet, 'check', '-f', file, '--json'];
    const { ms } = await timed(command, { cwd: folder, output, signal, exitCode: BAD_NET });
    verifyReport(readFileSync(output, 'utf8'), first, last);
    lines.push(`${title}: reported as a closed path after ${Math.round(ms)} ms`);
  }
  return lines;
}

/** One cycle; its path is closed, and each job in it is the predecessor of the next. */
function verifyReport(text, first, last) {
  const { problems } = JSON.parse(text);
  const cycles = problems.filter(({ code }) => code === 'cycle');
  if (cycles.length !== 1 || problems.length !== 1) {
    throw new WrongResult(`${cycles.length} cycles in ${problems.length} problems, not one`);
  }
  const jobs = cycles[0].path.map(({ job }) => job);
  const length = last - first + 1;
  if (jobs[0] !== jobs.at(-1)) throw new WrongResult(`the path is not closed: ${jobs[0]} … ${jobs.at(-1)}`);
  if (jobs.length !== length + 1)
    throw new WrongResult(`${jobs.length - 1} jobs in the cycle, not ${length}`);
  for (let at = 1; at < jobs.length; at++) {
    // In a chain in reverse order the successor of a row is the row above; that of the first is the last.
    const row = Number(jobs[at].slice(1));
    const predecessor = chainName(row === last ? first : row + 1);
    if (jobs[at - 1] !== predecessor)
      throw new WrongResult(`${jobs[at - 1]} is no predecessor of ${jobs[at]}`);
  }
}
