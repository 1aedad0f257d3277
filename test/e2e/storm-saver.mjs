/**
 * The other process of the storm: reads the CSV as an editor does, changes what it is told, and saves it one of many
 * ways. It saves only what has one meaning: see `isCertain`.
 */
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const COLUMNS = { status: 1, prev3: 6, memo: 7 };

const WAYS = {
  rename: (file, text) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
  'in place': (file, text) => writeFileSync(file, text),
  over: (file, text) => {
    const fd = openSync(file, 'r+');
    writeSync(fd, text, 0);
    ftruncateSync(fd, Buffer.byteLength(text));
    closeSync(fd);
  },
  halves: async (file, text, { at, pauseMs }) => {
    const bytes = Buffer.from(text);
    const half = Math.floor(bytes.length * at);
    const fd = openSync(file, 'w');
    writeSync(fd, bytes, 0, half, 0);
    await pause(pauseMs);
    writeSync(fd, bytes, half, bytes.length - half, half);
    closeSync(fd);
  },
};

const SPOILERS = {
  empty: () => '',
  zeros: (text) => '\0'.repeat(text.length),
  cut: (text, at) => {
    const end = Math.floor(text.length * at * 0.95) + 1;
    // Whole rows only would be a version that somebody may have meant.
    return text.slice(0, text[end - 1] === '\n' ? end + 1 : end);
  },
  quote: (text, at) => {
    const lines = text.split('\n');
    const row = 1 + Math.floor((lines.length - 2) * at);
    return lines.map((line, index) => (index === row ? `"${line}` : line)).join('\n');
  },
};

const read = (file) => readFileSync(file, 'utf8');
const rowsOf = (text) => new Map(text.split('\n').map((line) => [line.split(',', 1)[0], line]));

/** The text with other cells, or null if a row is not as it was expected. */
function changed(text, { changes, rows }) {
  const lines = text.split('\n');
  for (const { job, column, from, to } of changes) {
    const index = lines.findIndex((line) => line.startsWith(`${job},`));
    const cells = (lines[index] ?? '').split(',');
    const place = COLUMNS[column];
    if (from !== null && cells[place] !== from) return null;
    // The memo is the last column, and may have commas.
    const rest = column === 'memo' ? [] : cells.slice(place + 1);
    lines[index] = [...cells.slice(0, place), to, ...rest].join(',');
  }
  return lines.slice(0, -1).concat(rows, '').join('\n');
}

/**
 * A row that is cleared as the only one is a wish to run an abended job again, and the same row comes from whoever
 * has not seen the abend yet. So nothing is saved that takes back an abend alone.
 */
function isCertain(current, text, isOldCopy) {
  const next = rowsOf(text);
  let [abends, ends] = [0, 0];
  for (const [job, line] of rowsOf(current)) {
    if (!next.get(job)?.startsWith(`${job},9,,,`)) continue;
    if (line.startsWith(`${job},1,`)) abends++;
    if (line.startsWith(`${job},0,`)) ends++;
  }
  return isOldCopy || abends > 0 ? ends >= 2 : true;
}

async function save({ file, kind, base, edit, spoil, how, lateMs }) {
  const known = read(file);
  const text = changed(base ?? known, edit);
  if (lateMs > 0) await pause(lateMs);
  const before = read(file);
  const isWanted = text !== null && (kind === 'restore' || isCertain(before, text, kind === 'stale'));
  // What spoils the file is made from what it says now.
  const after = spoil ? SPOILERS[spoil.kind](before, spoil.at) : text;
  if (isWanted) await WAYS[how.way](file, after, how);
  return { isSaved: isWanted, known, before, after };
}

process.on('message', async (order) => process.send(await save(order)));
