/** Ports that count the points round their calls and end the process at one of them. */
import { readFileSync } from 'node:fs';

const { CRASH_AT, CRASH_KILLS = 'controller' } = process.env;
let points = 0;

export function crashing(parts) {
  const { journal, executor, netFile } = parts;
  return {
    ...parts,
    journal: counted(journal),
    executor: counted(executor),
    netFile: counted(netFile),
  };
}

/** Nothing has happened behind a look. */
const LOOKS = new Set(['inspect', 'listen']);

function counted(port) {
  const entries = Object.entries(port).map(([name, method]) => [
    name,
    LOOKS.has(name) ? method : around(method),
  ]);
  return Object.fromEntries(entries);
}

function around(method) {
  return (...args) => {
    point();
    const result = method(...args);
    if (!(result instanceof Promise)) {
      point();
      return result;
    }
    return result.finally(point);
  };
}

function point() {
  if (++points !== Number(CRASH_AT)) return;
  if (CRASH_KILLS !== 'controller') for (const pid of children()) kill(pid);
  if (CRASH_KILLS !== 'launchers') kill(process.pid);
}

function children() {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
