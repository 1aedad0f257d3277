/** The operations of claims and fences on a real file system. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { createDurably, hasCode, namesIn, syncFolder } from '../host/durable.js';
import { lifeOfProcess } from '../host/identity.js';
import { now } from './clock.js';
import type { Files } from './steps.js';

export const DISK: Files = {
  list: namesIn,
  read,
  write,
  link,
  mark,
  rename,
  remove,
  sync: syncFolder,
  life: lifeOfProcess,
  fresh: () => randomBytes(16).toString('hex'),
  now,
};

/** Where links are refused a claim is a folder with this file in it. */
const RECORD = 'record';

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // A stale handle of a network file system, or a folder that was replaced: the next look will tell.
    if (hasCode(error, 'ENOENT', 'ESTALE', 'ENOTDIR')) return null;
    // A folder that holds no record is nobody's and not gone.
    if (hasCode(error, 'EISDIR')) return read(path.join(file, RECORD)) ?? (existsSync(file) ? '' : null);
    throw error;
  }
}

/** Whole or not at all: a disk that is full leaves nothing behind. */
function write(file: string, text: string): void {
  try {
    createDurably(file, text);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) rmSync(file, { force: true });
    throw error;
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return moveAsFolder(from, to);
    throw error;
  }
}

/** File systems without links: a folder that is not empty takes a name only if that is free (rename(2)). */
function moveAsFolder(from: string, to: string): boolean {
  const folder = `${from}.d`;
  mkdirSync(folder);
  createDurably(path.join(folder, RECORD), readFileSync(from, 'utf8'));
  syncFolder(folder);
  try {
    renameSync(folder, to);
    return true;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (hasCode(error, 'EEXIST', 'ENOTEMPTY', 'ENOTDIR')) return false;
    throw error;
  }
}

function mark(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o644));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function remove(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    if (!hasCode(error, 'EISDIR', 'EPERM')) throw error;
  }
  // A numbered folder is never empty under its name: then another could take it.
  const gone = path.join(path.dirname(file), `tmp.${randomBytes(16).toString('hex')}`);
  if (!rename(file, gone)) return false;
  rmSync(gone, { recursive: true, force: true });
  return true;
}
