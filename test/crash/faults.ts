/** Runs of which the system refuses some calls, and what must be true of them afterwards. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Finished, NetBench } from '../e2e/workbench.js';
import { checkHistory, countedNet, THREE } from './crashes.js';

export interface Faults {
  readonly code: string;
  /** How long everything is refused from the first call on; 0: only that one. */
  readonly forMs: number;
  /** Whether what was asked has been done all the same. */
  readonly when: 'before' | 'after';
}

/** A command of which the call with this number is refused. */
export async function faultAt(net: NetBench, point: number, faults: Faults, ...args: string[]) {
  const note = path.join(path.dirname(net.folder), 'fault');
  const env = {
    NODE_OPTIONS: `--import ${new URL('faults-hook.mjs', import.meta.url).href}`,
    FAULT_AT: String(point),
    FAULT_CODE: faults.code,
    FAULT_MS: String(faults.forMs),
    FAULT_WHEN: faults.when,
    FAULT_NOTE: note,
  };
  const finished = await net.startWith({ env }, ...args).finished;
  return { ...finished, refused: existsSync(note) ? readFileSync(note, 'utf8').trim() : null };
}

/** As many at a time: most of them wait for the next try. */
const AT_A_TIME = 3;

/**
 * A run of three jobs for each call number, until there is no such call. It ends normally without a restart; what
 * cannot even begin says so, and nothing has started.
 * @returns how many calls were refused
 */
export async function refuseEveryCall(faults: Faults, { step }: { step: number }): Promise<number> {
  let point = 1;
  let refused = 0;
  let isOver = false;
  async function walk(): Promise<void> {
    while (!isOver) {
      const own = point;
      point += step;
      const hit = await checkOne(own, faults);
      if (hit) refused++;
      else isOver = true;
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, walk));
  return refused;
}

async function checkOne(point: number, faults: Faults): Promise<boolean> {
  const net = countedNet(THREE);
  const found = await faultAt(net, point, faults, 'start');
  const where = `call ${point}, ${found.refused ?? 'none'}: ${faults.code}\n${textOf(found)}`;
  if (found.code === 4) {
    expect(net.effects(), where).toEqual([]);
    expect(textOf(found), where).toMatch(new RegExp(faults.code));
    expect(textOf(await net.start('resume').finished), where).toMatch(/^0\n/);
  } else {
    expect(textOf(found), where).toMatch(/^0\n/);
  }
  expect(() => checkHistory(net, 'controller'), where).not.toThrow();
  return found.refused !== null;
}

function textOf({ code, out, err }: Finished): string {
  return `${code}\n${out}${err}`;
}
