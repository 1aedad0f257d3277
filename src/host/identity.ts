/** Who a process is: a pid means something only with its start time, its boot, its host and its pid namespace. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasCode } from './durable.js';

export interface ProcessIdentity {
  readonly host: string;
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Clock ticks since boot on Linux, the text of `ps -o lstart=` on macOS. */
  readonly startTime: string;
}

/** `frozen`: it exists but is stopped (SIGSTOP, a debugger). A zombie is dead. */
export type Life = 'alive' | 'frozen' | 'dead';

export interface ProcessStat {
  readonly life: Life;
  readonly startTime: string;
  readonly group: number;
}

let ownBoot: string | null = null;

/** An identifier of this boot of this machine. */
export function bootId(): string {
  ownBoot ??=
    process.platform === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      : (/sec = (\d+)/.exec(execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }))?.[1] ??
        '');
  return ownBoot;
}

function pidNamespace(): string {
  return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const stat = readStat(process.pid);
  if (!stat) throw new Error('impossible: this process cannot be seen');
  return {
    host: hostname(),
    bootId: bootId(),
    pidNamespace: pidNamespace(),
    pid: process.pid,
    startTime: stat.startTime,
  };
}

/** What the system says of a pid now, or null when there is no such process that this user may see. */
export function readStat(pid: number): ProcessStat | null {
  return process.platform === 'linux' ? readProc(pid) : readPs(pid);
}

function readProc(pid: number): ProcessStat | null {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    // Nothing else says so: whoever took a shortage of descriptors for a death would act on it.
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

/** Fields of /proc/PID/stat (proc(5)); the name in parentheses may hold anything, also parentheses. */
export function parseProcStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { life: lifeOf(fields[0] ?? ''), group: Number(fields[2]), startTime: fields[19] ?? '' };
}

function readPs(pid: number): ProcessStat | null {
  try {
    const text = execFileSync('ps', ['-o', 'stat=,pgid=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    return parsePsLine(text);
  } catch (error) {
    // ps ends with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return null;
    throw error;
  }
}

/** One line of `ps -o stat=,pgid=,lstart=`. */
export function parsePsLine(text: string): ProcessStat | null {
  const match = /^\s*(\S+)\s+(\d+)\s+(\S.*?)\s*$/.exec(text);
  if (!match) return null;
  return { life: lifeOf(match[1]!), group: Number(match[2]), startTime: match[3]! };
}

/** By the state letter of `ps`. */
export function lifeOf(state: string): Life {
  switch (state.charAt(0)) {
    case 'Z':
    case 'X':
    case 'x':
      return 'dead';
    case 'T':
    case 't':
      return 'frozen';
    default:
      return 'alive';
  }
}

/** `unknown`: it ran on another host, in another pid namespace or as another user, where this process cannot look. */
export function lifeOfProcess(identity: ProcessIdentity): Life | 'unknown' {
  if (identity.host !== hostname()) return 'unknown';
  if (identity.bootId !== bootId()) return 'dead';
  if (identity.pidNamespace !== pidNamespace()) return 'unknown';
  const stat = readStat(identity.pid);
  if (stat) return stat.startTime === identity.startTime ? stat.life : 'dead';
  return isHidden(identity.pid) ? 'unknown' : 'dead';
}

/** Where /proc is mounted with hidepid, processes of other users seem not to be there. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
