/** A command that runs under a claim: it is let go only when the claim knows it, and is stopped when that is lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { hasCode } from '../host/durable.js';
import { ownIdentity, type ProcessIdentity, readStat } from '../host/identity.js';
import { recordChild } from './bid.js';
import { DISK } from './disk.js';
import { runSteps } from './steps.js';

export interface CommandOptions {
  /** The folder and number of the claim, which gets to know the command. */
  readonly folder: string;
  readonly number: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The claim is lost: TERM, and after the grace KILL to the group of the command. */
  readonly loss: AbortSignal;
  readonly graceMs: number;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Waits at the gate for the word to go, closes it and becomes the command; without the word it ends. */
const GATE = 'IFS= read -r word <&3 || exit 125; exec 3<&-; exec "$@"';

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs a command with our input and output. TERM, INT, HUP and QUIT that reach us go to its group. On a terminal it
 * shares ours, so that it can read from it; there the terminal itself sends INT and QUIT to both.
 * @throws when the system can start no process
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandEnd> {
  // Not process.stdin: opening it would make the command's input non-blocking.
  const hasOwnGroup = !isatty(0);
  const child = spawn('/bin/sh', ['-c', GATE, 'jobnet', ...argv], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: options.environment,
    detached: hasOwnGroup,
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'spawn'), ended]);
  const stopForwarding = forward(child, hasOwnGroup);
  const stop = () => void stopCommand(child, hasOwnGroup, options.graceMs);
  options.loss.addEventListener('abort', stop);
  try {
    const identity = identityOf(child);
    if (identity && !options.loss.aborted) {
      runSteps(recordChild(options.folder, options.number, identity), DISK);
      letGo(child);
    } else child.kill('SIGKILL');
    const [code, signal] = await ended;
    return { code, signal };
  } finally {
    options.loss.removeEventListener('abort', stop);
    stopForwarding();
  }
}

/** Null when it has ended already. */
function identityOf(child: ChildProcess): ProcessIdentity | null {
  const stat = readStat(child.pid!);
  return stat && stat.life !== 'dead'
    ? { ...ownIdentity(), pid: child.pid!, startTime: stat.startTime }
    : null;
}

function letGo(child: ChildProcess): void {
  const gate = child.stdio[3] as NodeJS.WritableStream;
  // It may be killed while it waits.
  gate.on('error', () => undefined);
  gate.end('go\n');
}

/** Returns what ends the forwarding. */
function forward(child: ChildProcess, hasOwnGroup: boolean): () => void {
  const handlers = FORWARDED.map((signal) => {
    const isFromTerminal = !hasOwnGroup && (signal === 'SIGINT' || signal === 'SIGQUIT');
    const handler = () => {
      if (!isFromTerminal) signalCommand(child, hasOwnGroup, signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}

/** A command that is stopped would keep a TERM for later. */
async function stopCommand(child: ChildProcess, hasOwnGroup: boolean, graceMs: number): Promise<void> {
  signalCommand(child, hasOwnGroup, 'SIGTERM');
  signalCommand(child, hasOwnGroup, 'SIGCONT');
  const timer = setTimeout(() => signalCommand(child, hasOwnGroup, 'SIGKILL'), graceMs);
  await once(child, 'exit');
  clearTimeout(timer);
  // What the command started and did not wait for.
  if (hasOwnGroup) signalCommand(child, hasOwnGroup, 'SIGKILL');
}

function signalCommand(child: ChildProcess, hasOwnGroup: boolean, signal: NodeJS.Signals): void {
  try {
    if (hasOwnGroup) process.kill(-child.pid!, signal);
    else child.kill(signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Ends this process as the command ended, so that whoever started us sees the same. */
export function endAs({ code, signal }: CommandEnd): number {
  if (!signal) return code ?? 0;
  // Signals that write a core file would write one of ours.
  if (signal !== 'SIGQUIT' && signal !== 'SIGABRT' && signal !== 'SIGSEGV') process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}
