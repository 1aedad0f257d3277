/** Where everything that jobnet knows about one net lies: plain files beside the real CSV. */
import { createHash } from 'node:crypto';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFolder } from '../host/durable.js';
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
