/** A jobnet.csv on disk with everything around it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../../src/engine/fakes/clock.js';
import type { NetFile } from '../../src/engine/ports.js';
import { createNetFile, type WriteTrouble } from '../../src/netfile/netfile.js';
import { tempFolder } from '../contract/temp-folder.js';

export interface Rig {
  readonly folder: string;
  readonly file: string;
  readonly outFolder: string;
  readonly clock: FakeClock;
  readonly netFile: NetFile;
  /** What was reported of writing, in order. */
  readonly troubles: (WriteTrouble | null)[];
  text(): string;
  /** Somebody else saves a version of the file in place. */
  save(text: string): void;
  /** Which file stands under the name: another one after every write by replacement. */
  inode(): bigint;
  /** Names of files that were left to be renamed. */
  leftOver(): string[];
}

export function createRig(text: string): Rig {
  const folder = tempFolder();
  const file = path.join(folder, 'jobnet.csv');
  const outFolder = path.join(folder, 'out');
  mkdirSync(outFolder);
  writeFileSync(file, text);
  const clock = createFakeClock(1_000_000);
  const troubles: (WriteTrouble | null)[] = [];
  const netFile = createNetFile({ file, outFolder, clock, onTrouble: (trouble) => troubles.push(trouble) });
  return {
    folder,
    file,
    outFolder,
    clock,
    netFile,
    troubles,
    text: () => readFileSync(file, 'utf8'),
    save: (version) => writeFileSync(file, version),
    inode: () => statSync(file, { bigint: true }).ino,
    leftOver: () => (existsSync(outFolder) ? readdirSync(outFolder) : []),
  };
}

/** Waits for what the disk does in its own time. */
export function until(condition: () => boolean): Promise<true> {
  return vi.waitUntil(condition, { timeout: 20_000, interval: 2 });
}
