/** Facts about this machine that a number means nothing without. */
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';
import path from 'node:path';
import { median } from './numbers.mjs';

const SYNCS = 200;
const SYNCED_BYTES = 64;

/** @param folder where the bench works: file system and disk are those of this folder */
export function machineFacts(folder) {
  return {
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    kernel: `${type()} ${release()}`,
    fileSystem: fileSystemOf(folder),
    fdatasyncMicros: Math.round(fdatasyncMicros(folder)),
    loadAverage: loadavg()[0],
  };
}

export function sayFacts(facts) {
  console.log(`CPUs: ${facts.cpus} (${facts.cpuModel}); load at the start: ${facts.loadAverage.toFixed(2)}`);
  console.log(`Node ${facts.node}; ${facts.kernel}; file system: ${facts.fileSystem}`);
  console.log(
    `write of ${SYNCED_BYTES} bytes + fdatasync, space written ahead: ${facts.fdatasyncMicros} us (median)`,
  );
  console.log('');
}

/** The type that the longest mount point above the folder has; Linux only. */
function fileSystemOf(folder) {
  const real = realpathSync(folder);
  let best = { point: '', type: 'unknown' };
  for (const line of mounts()) {
    const [, point = '', fsType = ''] = line.split(' ');
    const isAbove = real === point || real.startsWith(point === '/' ? '/' : `${point}/`);
    // Of two mounts on one point the later covers the earlier.
    if (isAbove && point.length >= best.point.length) best = { point, type: fsType };
  }
  return best.type;
}

function mounts() {
  try {
    return readFileSync('/proc/mounts', 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The journal of jobnet is written in the same way: into space that is there already. */
function fdatasyncMicros(folder) {
  const fd = openSync(path.join(folder, 'sync-probe'), 'wx');
  const bytes = Buffer.alloc(SYNCED_BYTES, 'x');
  writeSync(fd, Buffer.alloc(SYNCS * SYNCED_BYTES), 0, SYNCS * SYNCED_BYTES, 0);
  fsyncSync(fd);
  const times = Array.from({ length: SYNCS }, (_, index) => {
    const began = performance.now();
    writeSync(fd, bytes, 0, SYNCED_BYTES, index * SYNCED_BYTES);
    fdatasyncSync(fd);
    return (performance.now() - began) * 1000;
  });
  closeSync(fd);
  return median(times);
}
