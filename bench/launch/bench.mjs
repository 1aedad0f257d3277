/** `launch`: how many jobs a second jobnet starts and ends, beside make and beside the least that must be done. */
import path from 'node:path';
import { settleDisk } from '../harness/folders.mjs';
import { median, ratio } from '../harness/numbers.mjs';
import { disturbedLine, inRounds } from '../harness/rounds.mjs';
import { markdownTable, twoDecimals } from '../harness/table.mjs';
import { timed } from '../harness/timed.mjs';
import { LAYERS, WIDTH_LEAST } from './nets.mjs';
import { preparePrograms } from './programs.mjs';
import { subjectsOf } from './subjects.mjs';

/** Of the rate of L2, on the layered net, with a journal that is synced. */
const GOAL = 0.5;

export const OPTIONS = {
  rounds: { value: 'N', help: 'rounds, each with every row once', default: 3, least: 1 },
  jobs: {
    value: 'N',
    help: `jobs in each net, a multiple of ${LAYERS}`,
    default: 10_000,
    least: LAYERS * WIDTH_LEAST,
    step: LAYERS,
  },
  parallel: { value: 'N', help: 'jobs in flight, the same for everybody', default: 4, least: 1 },
};

export async function run({ options, folder, signal }) {
  const programs = preparePrograms(folder);
  for (const note of programs.notes) console.log(note);
  const subjects = subjectsOf(programs, options);
  const { rounds, jobs, parallel } = options;
  const measured = await inRounds({ subjects, rounds, signal, unit: 'jobs/s' }, (subject, name) => {
    return measure(subject, path.join(folder, `${subject.key}-${name}`), signal);
  });
  const rows = subjects.map((subject) => rowOf(subject, measured.values));
  const title = `${jobs} jobs, ${parallel} in flight, rounds: ${rounds}; whole commands, start to end`;
  const lines = ['', title, disturbedLine(measured), '', ...tableOf(rows)];
  const { disturbed } = measured;
  return { lines, rows, disturbed, notes: programs.notes, goals: [goalOf(rows)] };
}

/** Jobs a second of one run in a fresh folder. */
async function measure({ prepare, command, verify, net, leavesProcesses }, folder, signal) {
  prepare(folder);
  settleDisk();
  const { ms, foreignCores } = await timed(command, {
    cwd: folder,
    output: path.join(folder, 'output'),
    signal,
  });
  verify(folder);
  // What outlives the command is not counted as its own, and would pass for other work.
  return { value: (net.length / ms) * 1000, foreignCores: leavesProcesses ? null : foreignCores };
}

function rowOf({ key, title }, rates) {
  const own = rates[key];
  const kind = key.endsWith('layered') ? 'layered' : 'independent';
  return {
    key,
    title,
    jobsPerSecond: own,
    median: median(own),
    ofL2: ratio(own, rates['L2']),
    ofL1: ratio(own, rates['L1']),
    /** Make on the same net. */
    ofMake: ratio(own, rates[`make-${kind}`]),
  };
}

function tableOf(rows) {
  const header = ['', 'jobs/s', 'min..max', 'of L2', 'of L1', 'of make'];
  const cells = rows.map(({ title, jobsPerSecond, median: middle, ofL2, ofL1, ofMake }) => {
    const spread = `${Math.round(Math.min(...jobsPerSecond))}..${Math.round(Math.max(...jobsPerSecond))}`;
    return [title, String(Math.round(middle)), spread, ...[ofL2, ofL1, ofMake].map(twoDecimals)];
  });
  return markdownTable(header, cells);
}

function goalOf(rows) {
  const text = `jobnet on the layered net at ${GOAL} of L2 or more`;
  const { ofL2, jobsPerSecond } = rows.find(({ key }) => key === 'jobnet-layered');
  if (ofL2 === null) return { text, found: 'L2 was not measured', isMet: null };
  const limit = rows.find(({ key }) => key === 'L2').jobsPerSecond;
  // The rounds are shown as well: far apart, they say that something else disturbed the machine.
  const rounds = jobsPerSecond.map((rate, round) => twoDecimals(rate / limit[round]));
  return { text, found: `${twoDecimals(ofL2)} (rounds: ${rounds.join(', ')})`, isMet: ofL2 >= GOAL };
}
