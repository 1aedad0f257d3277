/** A small file system of its own, to be filled up or made read-only. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  readonly folder: string;
  readonly filler: string;
  /** Takes all that is left, to the last byte. */
  fill(): void;
  free(): void;
  /** Whatever is opened from now on may only be read; what is open for writing stays so, as the system has it. */
  makeReadOnly(): void;
  makeWritable(): void;
}

/** Only root may, and not in every container. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobnet-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'jobnet-test', folder]);
  if (status === 0) unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

export function createSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobnet-disk-'));
  const filler = path.join(folder, 'filler');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'jobnet-test', folder]);
  let isReadOnly = false;
  onTestFinished(() => {
    makeWritable();
    unmount(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  function makeWritable(): void {
    if (isReadOnly) unmount(folder);
    isReadOnly = false;
  }

  return {
    folder,
    filler,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => {
      // The file system itself cannot be while somebody has a file of it open for writing.
      execFileSync('mount', ['--bind', folder, folder]);
      execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
      isReadOnly = true;
    },
    makeWritable,
  };
}

function fill(filler: string): void {
  const fd = openSync(filler, 'w');
  try {
    for (const block of [Buffer.alloc(4096), Buffer.alloc(1)]) for (;;) writeSync(fd, block);
  } catch {
    // It is full.
  } finally {
    closeSync(fd);
  }
}

/** Lazily: a launcher may be on its way out. */
function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
}
