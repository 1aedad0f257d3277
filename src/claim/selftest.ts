/** Whether a folder can be trusted with claims: what its file system answers, and a hundred who want one at once. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Files } from './steps.js';

export interface SelfTest {
  readonly faults: readonly Fault[];
  /** How far the clock of the file system is ahead of ours, in milliseconds. */
  readonly skewMs: number;
  readonly contenders: number;
}

export type Fault =
  /** A name was given to two. */
  | 'link-twice'
  /** A name was given and its content was that of another. */
  | 'link-content'
  /** A name was not in the next listing. */
  | 'listing'
  /** A file that was replaced was not there as a whole, or a removed source was renamed. */
  | 'rename'
  /** Two held the claim at once, or numbers did not rise. */
  | 'two-holders';

export const CONTENDERS = 100;
const PROCESSES = 10;

/**
 * Tries a folder out below a folder of its own, which it removes again.
 * @throws what the system says when nothing can be made there
 */
export async function testFolder(folder: string, files: Files): Promise<SelfTest> {
  const own = path.join(folder, `jobnet-selftest.${files.fresh().slice(0, 8)}`);
  mkdirSync(own);
  try {
    const skewMs = measureSkew(path.join(own, 'clock'));
    const faults = testAnswers(own, files);
    if (faults.length === 0 && (await contend(path.join(own, 'claims')))) faults.push('two-holders');
    return { faults, skewMs, contenders: CONTENDERS };
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

function measureSkew(file: string): number {
  const before = Date.now();
  writeFileSync(file, '');
  const after = Date.now();
  const { mtimeMs } = statSync(file);
  return mtimeMs < before ? mtimeMs - before : Math.max(0, mtimeMs - after);
}

function testAnswers(folder: string, files: Files): Fault[] {
  const at = (name: string) => path.join(folder, name);
  const faults: Fault[] = [];
  for (const name of ['a', 'b']) files.write(at(`tmp.${name}`), name);
  const won = ['a', 'b'].filter((name) => files.link(at(`tmp.${name}`), at('00000001')));
  if (won.length !== 1) faults.push('link-twice');
  if (files.read(at('00000001')) !== won[0]) faults.push('link-content');
  if (!files.list(folder).includes('00000001')) faults.push('listing');
  files.write(at('new'), 'new');
  files.write(at('old'), 'old');
  const isReplaced = files.rename(at('new'), at('old')) && files.read(at('old')) === 'new';
  if (!isReplaced || files.rename(at('new'), at('old'))) faults.push('rename');
  return faults;
}

/** True: two held it at once. One process of them is frozen between looking and acting, and woken at the end. */
async function contend(folder: string): Promise<boolean> {
  mkdirSync(folder);
  const record = path.join(folder, '..', 'record');
  writeFileSync(record, '');
  const script = new URL('contender.js', import.meta.url);
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    fork(script, [folder, record, String(CONTENDERS / PROCESSES), index === 0 ? 'frozen' : 'awake']),
  );
  const ends = children.map(async (child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  await Promise.all(ends.slice(1));
  children[0]!.kill('SIGCONT');
  await ends[0];
  return hasOverlap(readFileSync(record, 'latin1'));
}

/** Lines `+ NUMBER` and `- NUMBER`, written as the claim was taken and before it was released. */
export function hasOverlap(text: string): boolean {
  let last = 0;
  let holder = 0;
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const number = Number(line.slice(2));
    if (line.startsWith('+')) {
      if (holder !== 0 || number <= last) return true;
      holder = number;
      last = number;
    } else {
      if (holder !== number) return true;
      holder = 0;
    }
  }
  return false;
}
