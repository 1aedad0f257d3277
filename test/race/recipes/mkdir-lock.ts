/**
 * The usual lock of shell scripts, rebuilt to show its faults: a folder that is made, a pid that is written into it
 * afterwards, and a stale one that is removed and made again.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasCode } from '../../../src/host/durable.js';
import type { Program } from '../halting.js';

export interface MkdirLock {
  readonly folder: string;
  readonly pid: number;
  /** Whether a lock without an owner counts as too old. */
  readonly isOld: boolean;
}

export function* takeMkdirLock({ folder, pid, isOld }: MkdirLock): Program<'held' | 'busy'> {
  if (!made(folder)) {
    const owner = ownerOf(folder);
    if (owner === '' ? !isOld : answers(Number(owner))) return 'busy';
    yield 'reclaim';
    rmSync(folder, { recursive: true, force: true });
    if (!made(folder)) return 'busy';
  }
  yield 'write pid';
  writeFileSync(path.join(folder, 'pid'), `${pid}\n`);
  return 'held';
}

/** The way out of that recipe, at the end of the script: whose lock it is now is not asked. */
export function* releaseMkdirLock(folder: string): Program<void> {
  yield 'remove';
  rmSync(folder, { recursive: true, force: true });
}

function made(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function ownerOf(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'pid'), 'utf8').trim();
  } catch {
    return '';
  }
}

/** What `kill -0` says: some process has this pid. */
function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
