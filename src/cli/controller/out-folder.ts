/** Folders of temporary files of the CSV, one for each epoch. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { namesIn } from '../../host/durable.js';

/**
 * The folder of this epoch's temporary files. Those of older epochs are renamed away first: a stale controller's
 * late rename of its file then fails, and its old cells cannot come back as an edit.
 */
export function prepareOutFolder(out: string, epoch: number): string {
  mkdirSync(out, { recursive: true });
  for (const name of namesIn(out)) {
    if (!/^\d+$/.test(name) || Number(name) >= epoch) continue;
    const away = path.join(out, `old.${name}.${epoch}`);
    renameSync(path.join(out, name), away);
    rmSync(away, { recursive: true, force: true });
  }
  const own = path.join(out, String(epoch));
  mkdirSync(own, { recursive: true });
  return own;
}

export function removeOutFolder(out: string, epoch: number): void {
  rmSync(path.join(out, String(epoch)), { recursive: true, force: true });
}
