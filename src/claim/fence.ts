/** Writing a file under a fencing token: a paused holder that wakes up cannot write over its successor. */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode, makeFolder } from '../host/durable.js';
import { ownIdentity } from '../host/identity.js';
import { DISK } from './disk.js';
import { FenceRefused } from './errors.js';
import { fenceFolder, tryFencedWrite } from './fence-steps.js';
import { type Files, runSteps, type Steps } from './steps.js';

/** What is to be written: bytes or a text, or the content of a file on any file system. */
export type FencedContent = string | Uint8Array | { readonly file: string };

const TRIES_MAX = 100;
const PAUSE_MAX_MS = 50;

/**
 * Replaces a file as a whole unless a higher token has written it. After success it holds this content or that of a
 * later accepted write, and no lower token is accepted any more. Mode and owner stay; a symbolic link is followed.
 * @param token the number of the lease or lock under which it is written
 * @throws FenceRefused
 */
export async function fencedWrite(
  target: string,
  token: number,
  content: FencedContent,
  files: Files = DISK,
): Promise<void> {
  if (!Number.isSafeInteger(token) || token < 1) throw new RangeError(`not a token: ${token}`);
  const real = realTarget(target);
  makeFolder(fenceFolder(real));
  const write = {
    target: real,
    token,
    writer: ownIdentity(),
    content: (file: string) => prepare(file, content, real),
  };
  for (let left = TRIES_MAX; ; left--) {
    const made = runSteps(tryFencedWrite(write), files);
    if (made !== 'again') {
      if (made.kind === 'refused') throw new FenceRefused(target, token, made.token);
      return;
    }
    if (left === 0) throw new Error(`others write ${target} all the time`);
    await sleep(Math.random() * PAUSE_MAX_MS);
  }
}

function realTarget(target: string): string {
  const given = path.resolve(target);
  try {
    return realpathSync(given);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return path.join(realpathSync(path.dirname(given)), path.basename(given));
  }
}

/** The new content under its own name; it is as the target is, before it can be seen there. */
// biome-ignore lint/correctness/useYield: it asks for no operation of others, and is a step all the same.
function* prepare(file: string, content: FencedContent, target: string): Steps<void> {
  if (typeof content === 'string' || content instanceof Uint8Array)
    writeFileSync(file, content, { flag: 'wx' });
  else copyFileSync(content.file, file);
  makeLike(file, target);
  const fd = openSync(file, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function makeLike(file: string, target: string): void {
  try {
    const { mode, uid, gid } = statSync(target);
    const own = statSync(file);
    if (own.uid !== uid || own.gid !== gid) chownSync(file, uid, gid);
    chmodSync(file, mode & 0o7777);
  } catch (error) {
    // The first write, or an owner that only the system's administrator may give.
    if (!hasCode(error, 'ENOENT', 'EPERM')) throw error;
  }
}
