/** Where everything that jobnet knows about one net lies: plain files beside the real CSV. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDurably, hasCode, makeFolder, syncFolder } from '../host/durable.js';
import { networkFileSystem } from '../host/network.js';
import { FORMAT } from './lines.js';

export interface StateFolder {
  readonly path: string;
  /** Numbered claims of controllers: the number is the epoch. */
  readonly claims: string;
  readonly runs: string;
  readonly log: string;
  /** The CSV as it was last written or taken: what differs from it later was edited meanwhile. */
  readonly lastGood: string;
  /** The CSV before it was last written in place. */
  readonly backup: string;
  /** Temporary files of the CSV by epoch; always beside the real CSV, so that a rename serves. */
  readonly out: string;
}

/**
 * `.jobnet/NAME` beside the real file; or, in a folder of one's own choice, a name that also tells nets of the same
 * name apart.
 * @param file the real path of the net's file
 */
export function stateFolderOf(file: string, chosen: string | null): StateFolder {
  const name = path.basename(file);
  const beside = path.join(path.dirname(file), '.jobnet', name);
  const own = chosen === null ? beside : path.join(path.resolve(chosen), `${name}-${pathHash(file)}`);
  return {
    path: own,
    claims: path.join(own, 'claims', 'controller.d'),
    runs: path.join(own, 'runs'),
    log: path.join(own, 'controller.log'),
    lastGood: path.join(own, 'last-good.csv'),
    backup: path.join(own, 'before-in-place.csv'),
    out: path.join(beside, 'out'),
  };
}

function pathHash(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 8);
}

/** Makes the folder if it is missing. Throws what the system says when it cannot be written to. */
export function prepareStateFolder(folder: StateFolder): void {
  const first = makeFolder(folder.runs);
  makeFolder(folder.claims);
  const identityFile = path.join(folder.path, 'state.json');
  if (statSync(identityFile, { throwIfNoEntry: false })) return;
  const beside = `${identityFile}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify({ format: FORMAT, ...identityOf(folder) })}\n`, { flush: true });
  renameSync(beside, identityFile);
  // Claims and runs are durable only in folders that are.
  const { path: own, claims } = folder;
  const holders = [path.dirname(claims), own, path.dirname(own), ...(first ? [path.dirname(first)] : [])];
  for (const holder of holders) syncFolder(holder);
}

function identityOf(folder: StateFolder): { device: string; inode: string } {
  const { dev, ino } = statSync(folder.path, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/**
 * Epochs below this number were claimed in another folder, of which this one is a copy: 0 when it is none, Infinity
 * when nobody has settled in it yet. Told by the inode, on local disks only: another machine may see a shared folder
 * with other numbers, and what is not a copy must never be taken for one.
 */
export function foreignBelow(folder: StateFolder): number {
  const own = readJson<{ inode: string }>(path.join(folder.path, 'state.json'));
  if (!own?.inode || networkFileSystem(folder.path)) return 0;
  const { inode } = identityOf(folder);
  if (own.inode === inode) return 0;
  return (
    readJson<{ foreignBelow: number }>(settledFile(folder, inode))?.foreignBelow ?? Number.POSITIVE_INFINITY
  );
}

/**
 * Says of a copied folder that the epochs so far are those of another one; whoever says so first is right.
 * @param highest the highest number of the claims that were copied
 */
export function settle(folder: StateFolder, highest: number): void {
  const { inode } = identityOf(folder);
  try {
    const text = `${JSON.stringify({ format: FORMAT, foreignBelow: highest + 1 })}\n`;
    createDurably(settledFile(folder, inode), text);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function settledFile(folder: StateFolder, inode: string): string {
  return path.join(folder.path, `copied-${inode}.json`);
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return null;
    throw error;
  }
}
