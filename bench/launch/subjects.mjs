/** The rows of the launch bench: what is put into a fresh folder, what is run there, what must be true afterwards. */
import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvOf, listOf, makefileOf, makeNet } from './nets.mjs';
import { verifyCsv, verifyJournal } from './verify.mjs';

const JOBNET = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const NET_FILE = 'net.csv';
/** ext4 allows 65,000 names for one file. */
const LINKS_MAX = 30_000;

/** Rows whose program this system lacks are left out. */
export function subjectsOf({ launcher, make, job }, { jobs, parallel }) {
  const subjects = [];
  const independent = makeNet('independent', jobs);
  const layered = makeNet('layered', jobs);
  if (launcher) {
    subjects.push(
      launcherRow(launcher, independent, parallel, 'L1'),
      launcherRow(launcher, independent, parallel, 'L2'),
    );
  }
  if (make) {
    subjects.push(
      makeRow(make, independent, parallel, 'independent'),
      makeRow(make, layered, parallel, 'layered'),
    );
  }
  subjects.push(jobnetRow(independent, parallel, 'independent'), jobnetRow(layered, parallel, 'layered'));
  return subjects.map((subject) => ({ ...subject, prepare: (folder) => prepare(folder, subject, job) }));
}

function launcherRow(launcher, net, parallel, key) {
  const withLogs = key === 'L2';
  return {
    key,
    title: withLogs ? 'L2: the same + a new log for each job' : 'L1: posix_spawn + wait, in C',
    net,
    files: { list: listOf(net) },
    folders: withLogs ? ['attempts'] : [],
    command: [launcher, 'list', String(parallel), ...(withLogs ? ['logs'] : [])],
    verify: () => undefined,
  };
}

function makeRow(make, net, parallel, kind) {
  return {
    key: `make-${kind}`,
    title: `GNU make, ${kind}`,
    net,
    files: { Makefile: makefileOf(net) },
    folders: [],
    command: [make, '-rR', `-j${parallel}`],
    verify: () => undefined,
  };
}

function jobnetRow(net, parallel, kind) {
  return {
    key: `jobnet-${kind}`,
    title: `jobnet, ${kind}`,
    net,
    files: { [NET_FILE]: csvOf(net) },
    folders: [],
    /** Its launchers, on their way out. */
    leavesProcesses: true,
    command: [process.execPath, JOBNET, 'start', '-f', NET_FILE, '-j', String(parallel)],
    verify: (folder) => {
      verifyCsv(path.join(folder, NET_FILE), net);
      verifyJournal(path.join(folder, '.jobnet', NET_FILE, 'runs'), net);
    },
  };
}

/** Every job is a name of its own for the same file, so that all launchers look up as many names. */
function prepare(folder, { net, files, folders }, job) {
  mkdirSync(path.join(folder, 'jobs'), { recursive: true });
  let source = job;
  net.forEach(({ name }, index) => {
    const target = path.join(folder, 'jobs', name);
    if (index % LINKS_MAX === 0) {
      copyFileSync(job, target);
      source = target;
    } else linkSync(source, target);
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  for (const name of folders) mkdirSync(path.join(folder, name));
}
