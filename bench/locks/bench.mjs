/** `locks`: what a lock costs beside the file operations that it must do, and a command beside the start of Node. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WrongResult } from '../harness/failures.mjs';
import { median, ratio } from '../harness/numbers.mjs';
import { disturbedLine, inRounds } from '../harness/rounds.mjs';
import { markdownTable, twoDecimals } from '../harness/table.mjs';
import { timed } from '../harness/timed.mjs';

const JOBNET = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const MEASURE = fileURLToPath(new URL('./measure.mjs', import.meta.url));

/** Of the bare operations; of the start of Node; of `once` in an empty folder. */
const GOALS = { library: 1.5, run: 2, 'once-full': 1.25 };

export const OPTIONS = {
  rounds: { value: 'N', help: 'rounds, each with every row once', default: 7, least: 1 },
  locks: { value: 'N', help: 'locks taken and released in a row', default: 300, least: 40 },
  keys: { value: 'N', help: 'old keys in the full folder', default: 10_000, least: 1 },
};

export async function run({ options: { rounds, locks, keys }, folder, signal }) {
  const places = placesOf(folder, keys);
  const subjects = subjectsOf(places, locks);
  const output = path.join(folder, 'output');
  let count = 0;
  const measured = await inRounds({ subjects, rounds, signal, unit: 'ms' }, async (subject) => {
    const command = subject.command(++count);
    const { ms, foreignCores } = await timed(command, { cwd: folder, output, signal });
    return { value: subject.isTimedInside ? timeInside(output, locks) : ms, foreignCores };
  });
  const rows = subjects.map(({ key, title, beside }) => ({
    key,
    title,
    beside,
    ms: measured.values[key],
    median: median(measured.values[key]),
    ratio: beside ? ratio(measured.values[key], measured.values[beside]) : null,
  }));
  const title = `${locks} locks taken and released; commands; ${keys} old keys. Rounds: ${rounds}`;
  const lines = ['', title, disturbedLine(measured), '', ...tableOf(rows)];
  return { lines, rows, disturbed: measured.disturbed, goals: goalsOf(rows) };
}

function placesOf(folder, keys) {
  const places = {};
  for (const name of ['library', 'bare', 'run', 'empty', 'full']) {
    places[name] = path.join(folder, name);
    mkdirSync(places[name]);
  }
  for (let key = 0; key < keys; key++) addOldKey(places.full, key);
  return places;
}

/** A key that ended a moment ago: it is kept. */
function addOldKey(folder, key) {
  const own = path.join(folder, `job@key${String(key).padStart(6, '0')}.d`);
  mkdirSync(own);
  const owner = {
    format: 1,
    kind: 'process',
    host: 'bench',
    bootId: '',
    pidNamespace: '',
    pid: 1,
    startTime: '',
    id: 'x',
  };
  writeFileSync(path.join(own, '00000001'), JSON.stringify(owner));
  writeFileSync(
    path.join(own, '00000001.done'),
    JSON.stringify({ code: 0, signal: null, endedAt: Date.now() }),
  );
}

function subjectsOf(places, locks) {
  const node = process.execPath;
  const measure = (mode) => () => [node, MEASURE, mode, places[mode], String(locks)];
  const once = (folder) => (count) => [
    node,
    JOBNET,
    'once',
    'job',
    '--dir',
    folder,
    '--key',
    `new${count}`,
    '--',
    'true',
  ];
  return [
    {
      key: 'bare',
      title: 'the file operations alone (inside the process)',
      isTimedInside: true,
      command: measure('bare'),
    },
    {
      key: 'library',
      title: 'withLock (inside the process)',
      isTimedInside: true,
      command: measure('library'),
      beside: 'bare',
    },
    { key: 'node', title: 'node -e 0', command: () => [node, '-e', '0'] },
    {
      key: 'run',
      title: 'jobnet lock run x -- true',
      command: () => [node, JOBNET, 'lock', 'run', 'x', '--dir', places.run, '--', 'true'],
      beside: 'node',
    },
    { key: 'once', title: 'jobnet once, a new key in an empty folder', command: once(places.empty) },
    {
      key: 'once-full',
      title: 'jobnet once, a new key among old ones',
      command: once(places.full),
      beside: 'once',
    },
  ];
}

function timeInside(output, locks) {
  const { ms, times } = JSON.parse(readFileSync(output, 'utf8'));
  if (times !== locks) throw new WrongResult(`${times} locks, not ${locks}`);
  return ms;
}

function tableOf(rows) {
  const cells = rows.map(({ title, ms, median: middle, ratio: of, beside }) => {
    const spread = `${Math.round(Math.min(...ms))}..${Math.round(Math.max(...ms))}`;
    return [title, middle.toFixed(1), spread, of === null ? '' : `${twoDecimals(of)} of ${beside}`];
  });
  return markdownTable(['', 'ms', 'min..max', 'ratio'], cells);
}

function goalsOf(rows) {
  return Object.entries(GOALS).map(([key, most]) => {
    const { title, ratio: found, beside } = rows.find((row) => row.key === key);
    return {
      text: `${title}: at most ${most} times ${beside}`,
      found: found.toFixed(2),
      isMet: found <= most,
    };
  });
}
