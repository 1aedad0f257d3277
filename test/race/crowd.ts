/** Crowds of processes that want one claim, one of them frozen for a while; and what their log says against it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { makeFolder } from '../../src/host/durable.js';
import { readStat } from '../../src/host/identity.js';
import { until } from '../e2e/workbench.js';
import { seeded } from './chance.mjs';

export interface Contest {
  readonly kind: 'lock' | 'lease';
  /** A claim whose owner was killed with -9, or none. */
  readonly start: 'fresh' | 'stale';
  /** Where one process is frozen: before it makes a number, or while it holds. */
  readonly freeze: 'link' | 'hold' | null;
  /** Contenders in each process. */
  readonly each: number;
  readonly ttlMs: number;
}

export interface Log {
  readonly taken: number;
  readonly lost: number;
  readonly faults: readonly string[];
}

/** How long a holder of a lock is frozen, or who wants one. */
const FROZEN_MS = 200;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Processes that run contenders until they are closed. */
export type Crowd = readonly ChildProcess[];

export function createCrowd(processes: number): Crowd {
  return Array.from({ length: processes }, () => fork(script('contender.mjs'), { execArgv: [] }));
}

export function closeCrowd(crowd: Crowd): void {
  for (const child of crowd) child.kill('SIGKILL');
}

/** Rounds one after the other, each on a claim of its own. */
export async function contend(crowd: Crowd, contest: Contest, rounds: number, seed: number): Promise<Log[]> {
  const parent = mkdtempSync(path.join(tmpdir(), 'jobnet-crowd-'));
  const logs: Log[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const log = await runRound(parent, contest, crowd, { name: `claim${round}`, seed: seed + round });
      logs.push(log);
      expect(log.faults, `seed ${seed}, round ${round}`).toEqual([]);
    }
    return logs;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function runRound(
  parent: string,
  { kind, start, freeze, each, ttlMs }: Contest,
  crowd: Crowd,
  { name, seed }: { name: string; seed: number },
): Promise<Log> {
  const random = seeded(seed);
  const folder = path.join(parent, `${name}.d`);
  const log = path.join(parent, `${name}.log`);
  makeFolder(folder);
  if (start === 'stale') await killHolder({ kind, parent, name, ttlMs });
  const unlucky = Math.floor(random() * crowd.length);
  let left = crowd.length;
  const ends = crowd.map(async (child) => {
    await answerOf(child);
    left--;
  });
  crowd.forEach((child, at) => {
    const isUnlucky = freeze !== null && at === unlucky;
    child.send({
      kind,
      folder,
      log,
      count: each,
      // The more there are, the more seldom each of them looks.
      patienceMs: 2 * crowd.length * each,
      seed: seed * 1000 + at,
      ttlMs,
      freeze: isUnlucky ? { at: freeze, nth: Math.floor(random() * 3) } : null,
    });
  });
  if (freeze) await thaw(crowd[unlucky]!, kind === 'lock' ? FROZEN_MS : ttlMs * 1.2, () => left === 0);
  await Promise.all(ends);
  return judge(readFileSync(log, 'latin1'));
}

/** Wakes a process that has stopped itself, when it has stood still for so long. */
async function thaw(child: ChildProcess, forMs: number, isOver: () => boolean): Promise<void> {
  await until(() => isOver() || readStat(child.pid!)?.life === 'frozen');
  const since = performance.now();
  await until(() => isOver() || performance.now() - since > forMs);
  child.kill('SIGCONT');
}

/** A claim that nobody gives back. */
async function killHolder(claim: object): Promise<void> {
  const victim = fork(script('victim.mjs'), { execArgv: [] });
  const answer = answerOf(victim);
  victim.send(claim);
  expect(await answer).toBe('held');
  victim.kill('SIGKILL');
  await once(victim, 'exit');
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const answer = once(child, 'message', { signal: over.signal }).then(([message]) => message);
  const end = once(child, 'exit', { signal: over.signal }).then(() => {
    throw new Error('a contender died');
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    over.abort();
  }
}

/** Two who hold at once, numbers that do not rise, claims that were changed. */
export function judge(text: string): Log {
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.map((line) => {
    const [sign = '', number, at, trustedUntil] = line.split(' ');
    return { sign, number: Number(number), at: Number(at), until: Number(trustedUntil), line };
  });
  events.sort((a, b) => a.at - b.at);
  const holders = new Map<number, number>();
  const faults: string[] = [];
  let last = 0;
  for (const { sign, number, at, until, line } of events) {
    if (sign === '!') faults.push(line);
    if (sign === '+' && number <= last) faults.push(`${line} after ${last}`);
    if (sign === '+') last = number;
    if (sign === '+' || sign === '=') {
      for (const [other, end] of holders) {
        if (other !== number && end > at) faults.push(`${line} while ${other} holds until ${end}`);
      }
      holders.set(number, until);
    } else holders.delete(number);
  }
  const count = (sign: string) => events.filter((event) => event.sign === sign).length;
  return { taken: count('+'), lost: count('x'), faults };
}
