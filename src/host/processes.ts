/** The process table, and signals that reach only what they are meant for. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasCode } from './durable.js';
import { type Life, lifeOf, parseProcStat, readStat } from './identity.js';

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly startTime: string;
  readonly life: Life;
  /** Of its program, at most 15 bytes on Linux. */
  readonly name: string;
  /** As `ps` shows it. */
  readonly state: string;
}

/** Every process that this user may see, without zombies. */
export function listProcesses(): ProcessEntry[] {
  const all = process.platform === 'linux' ? listProc() : listPs();
  return all.filter(({ life }) => life !== 'dead');
}

function listProc(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const text = Number.isInteger(pid) ? readGone(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) : null;
    if (text === null) return [];
    const begin = text.indexOf('(') + 1;
    const end = text.lastIndexOf(')');
    const program = Buffer.from(text.slice(begin, end), 'latin1').toString('utf8');
    return [{ pid, ...parseProcStat(text), name: program, state: text.charAt(end + 2) }];
  });
}

function listPs(): ProcessEntry[] {
  const text = execFileSync('ps', ['-axo', 'pid=,pgid=,stat=,lstart=,comm='], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    maxBuffer: 2 ** 28,
  });
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}

/** One line of `ps -o pid=,pgid=,stat=,lstart=,comm=`; a start time has five words. */
export function parseEntry(line: string): ProcessEntry | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(\S.*?)\s*$/.exec(line);
  if (!match) return null;
  const [, pid = '', group = '', state = '', startTime = '', command = ''] = match;
  const name = command.slice(command.lastIndexOf('/') + 1);
  return { pid: Number(pid), group: Number(group), startTime, life: lifeOf(state), name, state };
}

/** Null: the process is gone, or belongs to somebody else. */
function readGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

const WRITES = 3;

/**
 * Processes that have a file open for writing, without this one: of a lifeline, what a job left behind. Whoever only
 * looks whether it is held opens it for reading. Linux only; elsewhere none is found.
 */
export function writersOf(file: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && hasOpenForWriting(pid, file));
}

function hasOpenForWriting(pid: number, file: string): boolean {
  const fds = readGone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return fds.some((fd) => {
    if (readGone(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) !== file) return false;
    const flags = readGone(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? '';
    return (Number.parseInt(/^flags:\s*(\d+)/m.exec(flags)?.[1] ?? '0', 8) & WRITES) !== 0;
  });
}

/** A signal to one process, if it is still the one that was seen. False: it is not, or may not be signalled. */
export function signalProcess(
  seen: Pick<ProcessEntry, 'pid' | 'startTime'>,
  signal: NodeJS.Signals,
): boolean {
  const { pid, startTime } = seen;
  if (!isSignallable(pid) || readStat(pid)?.startTime !== startTime) return false;
  return send(pid, signal);
}

/**
 * A signal to a whole group at once, so that no member escapes by forking. That the group is meant is for the caller
 * to prove, by a member that it knows. Never to the group that this process is in.
 */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  if (!isSignallable(group) || group === readStat(process.pid)?.group) return false;
  return send(-group, signal);
}

/** 0 and 1 and anything that is no number would mean many processes, or all. */
function isSignallable(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid;
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH', 'EPERM')) return false;
    throw error;
  }
}
