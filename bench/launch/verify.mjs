/** What a run of jobnet must have left behind, read without any code of jobnet. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WrongResult } from '../harness/failures.mjs';

/** Every row is 0. The file is plain, so a split is enough. */
export function verifyCsv(file, net) {
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const status = header.split(',').indexOf('status');
  if (rows.length !== net.length) throw new WrongResult(`${rows.length} rows in the CSV, not ${net.length}`);
  rows.forEach((row, index) => {
    const cells = row.split(',');
    if (cells[0] !== net[index].name || cells[status] !== '0') {
      throw new WrongResult(`row ${index + 2} of the CSV is "${row}", not ${net[index].name} with status 0`);
    }
  });
}

/** Every job was launched once and ended once, and none was launched before all of its predecessors had ended. */
export function verifyJournal(runs, net) {
  const events = readJournal(runs);
  const launched = onceByJob(events, 'launching');
  const ended = onceByJob(events, 'ended');
  for (const { name, predecessors } of net) {
    if (!launched.has(name) || !ended.has(name)) {
      throw new WrongResult(`${name} has no launch or no end in the journal`);
    }
    for (const predecessor of predecessors) inOrder(launched.get(name), ended.get(predecessor));
  }
  if (launched.size !== net.length)
    throw new WrongResult(`${launched.size} jobs launched, not ${net.length}`);
}

/** By time as well as by number: within a millisecond only the number tells. */
function inOrder(launch, end) {
  const endedAt = end?.endedAt ?? end?.at;
  if (end && launch.at >= endedAt && launch.seq > end.seq) return;
  throw new WrongResult(
    `${launch.job} was launched before its predecessor had ended: ${JSON.stringify([launch, end])}`,
  );
}

function onceByJob(events, type) {
  const found = new Map();
  for (const event of events) {
    if (event.type !== type) continue;
    if (found.has(event.job)) throw new WrongResult(`two events "${type}" of ${event.job}`);
    found.set(event.job, event);
  }
  return found;
}

/** The journal of the only run, one event a line. */
function readJournal(runs) {
  const folders = readdirSync(runs).flatMap((month) => {
    return readdirSync(path.join(runs, month)).map((run) => path.join(runs, month, run, 'journal'));
  });
  if (folders.length !== 1) throw new WrongResult(`${folders.length} runs, not one`);
  return readdirSync(folders[0]).flatMap((part) => {
    const lines = readFileSync(path.join(folders[0], part), 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  });
}
