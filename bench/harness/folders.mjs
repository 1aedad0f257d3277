/** The folders of a bench: one fresh parent, everything in it, removed once at the very end. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Gives `use` a fresh folder. It is removed only afterwards: deleting thousands of files slows their creation nearby. */
export async function withFolder({ dir, keep }, use) {
  const parent = path.resolve(dir ?? tmpdir());
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'jobnet-bench-'));
  try {
    return await use(folder);
  } finally {
    if (keep) console.error(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What earlier runs left to be written goes to the disk now, not during the next measurement. */
export function settleDisk() {
  spawnSync('sync');
}
