/** Attempts in every state in which a controller may find them, made by real launchers. */
import path from 'node:path';
import type { LauncherIdentity } from '../../src/core/words.js';
import { shardOf } from '../../src/executor/attempts.js';
import { judgeAttempts } from '../../src/executor/evidence.js';
import { bootId, readStat } from '../../src/host/identity.js';
import type { Marker } from '../../src/host/marked.js';
import { type HandLauncher, type HandOptions, readyByHand, SH, type Shell, startByHand } from './shells.js';
import { createGate, exists, type Gate, isGone, killAtEnd, tempFolder, until } from './support.js';

export const J = { job: 'J', attempt: 1 };

export function launcher(options: HandOptions = {}): Promise<HandLauncher> {
  return readyByHand(SH, inRun(options));
}

/** It may never be ready. */
export function startLauncher(shell: Shell, options: HandOptions): HandLauncher {
  return startByHand(shell, inRun(options));
}

function inRun(options: HandOptions): HandOptions {
  const folder = options.folder ?? tempFolder();
  const { run, file } = markerIn(folder);
  const environment = { JOBNET_RUN: run, JOBNET_FILE: file };
  return { shard: shardOf('J'), environment, ...options, folder };
}

/** Each test has its own: what the one before left may still be dying. */
function markerIn(folder: string): Marker {
  return { run: `test-${process.pid}`, file: path.join(folder, 'jobnet.csv') };
}

/** As it is journaled when it is ready. */
export function identify({ name, pid, lifeline }: HandLauncher): LauncherIdentity {
  return { launcher: name, pid, startTime: readStat(pid)!.startTime, bootId: bootId(), lifeline };
}

export function look(runFolder: string, ...identities: LauncherIdentity[]) {
  const launchers = new Map(identities.map((one) => [one.launcher, one]));
  return judgeAttempts({ runFolder, marker: markerIn(runFolder), launchers }, [J])[0]!;
}

/** What a job is that can be seen in different ways while it waits at a gate. */
export const WAITING = {
  'as any other': ['/bin/sh', '-c', 'echo $$; read -r x <go'],
  'by its marker alone': ['/bin/sh', '-c', 'exec 7>&-; echo $$; read -r x <go'],
  'by its lifeline alone': ['/usr/bin/env', '-i', '/bin/sh', '-c', 'echo $$; read -r x <go'],
} as const;

export interface Waiting {
  readonly own: HandLauncher;
  readonly identity: LauncherIdentity;
  readonly gate: Gate;
  readonly pid: number;
}

/** J.1, waiting at its gate. */
export async function waitingJob(how: keyof typeof WAITING = 'as any other'): Promise<Waiting> {
  const own = await launcher();
  const identity = identify(own);
  const gate = createGate(path.join(own.folder, 'go'));
  own.feed('J', 1, ...WAITING[how]);
  const pid = Number(await until(() => exists(own.logPath('J')) && own.log('J').trim()));
  killAtEnd(() => [pid]);
  return { own, identity, gate, pid };
}

/** The same, and its launcher is dead. */
export async function orphanedJob(how?: keyof typeof WAITING): Promise<Waiting> {
  const waiting = await waitingJob(how);
  waiting.own.child.kill('SIGKILL');
  await waiting.own.left;
  return waiting;
}

export async function end({ gate, pid }: Waiting): Promise<void> {
  gate.open();
  await until(() => isGone(pid));
}

/** A waiting job whose launcher is stopped. */
export async function jobOfFrozenLauncher(): Promise<Waiting> {
  const waiting = await waitingJob();
  process.kill(waiting.own.pid, 'SIGSTOP');
  await until(() => readStat(waiting.own.pid)?.life === 'frozen');
  return waiting;
}
