/** How many jobs this machine and this user's limits bear at once. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Descriptors the controller keeps for itself, and needs for each launcher (two pipes, a lifeline). */
const DESCRIPTORS_RESERVED = 64;
const DESCRIPTORS_PER_JOB = 4;

/** Cores × 2, lowered to what the limit of open files allows. */
export function defaultParallelism(): number {
  const files = openFilesMax();
  const allowed = Math.floor((files - DESCRIPTORS_RESERVED) / DESCRIPTORS_PER_JOB);
  return Math.max(1, Math.min(availableParallelism() * 2, allowed));
}

/** The soft limit on descriptors; where it cannot be read, what POSIX guarantees would be too little to matter. */
function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
    return soft === undefined || soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
