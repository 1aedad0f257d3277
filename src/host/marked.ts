/** Processes that carry a run's marker in their environment: proof that something of a job still lives. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from './durable.js';

/** What every process of an attempt inherits. */
export interface Marker {
  readonly run: string;
  readonly file: string;
  /** The net's file had another path, by which earlier jobs were started. */
  readonly earlierFile?: string;
}

export interface MarkedProcess {
  readonly pid: number;
  readonly job: string;
  readonly attempt: number;
}

/**
 * Living processes of a run's jobs: a zombie has no environment any more, and a launcher has no job in its own. One
 * pass over the process table: about 3 ms with 100 processes, 23 ms with 1,000. A process that emptied its environment
 * is not seen.
 */
export function findMarked(marker: Marker): MarkedProcess[] {
  return process.platform === 'linux' ? scanProc(marker) : scanPs(marker);
}

function scanProc({ run, file, earlierFile = file }: Marker): MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const environment = readEnvironment(pid);
    if (!environment?.includes(`JOBNET_RUN=${run}`)) continue;
    const variables = new Set(environment.split('\0'));
    if (!variables.has(`JOBNET_RUN=${run}`)) continue;
    if (!variables.has(`JOBNET_FILE=${file}`) && !variables.has(`JOBNET_FILE=${earlierFile}`)) continue;
    const job = variableOf(variables, 'JOBNET_JOB=');
    const attempt = Number(variableOf(variables, 'JOBNET_ATTEMPT='));
    if (job !== null && attempt > 0) found.push({ pid, job, attempt });
  }
  return found;
}

/** Null when it is gone, or belongs to somebody else. */
function readEnvironment(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

function variableOf(variables: ReadonlySet<string>, prefix: string): string | null {
  for (const variable of variables) if (variable.startsWith(prefix)) return variable.slice(prefix.length);
  return null;
}

function scanPs(marker: Marker): MarkedProcess[] {
  const text = execFileSync('ps', ['-axEww', '-o', 'pid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return text.split('\n').flatMap((line) => parseMarkedLine(line, marker) ?? []);
}

/** One line of `ps -E` on macOS: the environment stands behind the command, and only of the user's own programs. */
export function parseMarkedLine(
  line: string,
  { run, file, earlierFile = file }: Marker,
): MarkedProcess | null {
  const text = `${line} `;
  if (!text.includes(` JOBNET_RUN=${run} `)) return null;
  if (!text.includes(` JOBNET_FILE=${file} `) && !text.includes(` JOBNET_FILE=${earlierFile} `)) return null;
  const pid = Number(/^\s*(\d+)\s+[^\sZX]/.exec(text)?.[1]);
  const job = / JOBNET_JOB=(.*?) (?:[A-Za-z_]\w*=|$)/.exec(text)?.[1];
  const attempt = Number(/ JOBNET_ATTEMPT=(\d+) /.exec(text)?.[1]);
  return pid > 1 && job !== undefined && attempt > 0 ? { pid, job, attempt } : null;
}
