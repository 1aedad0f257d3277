/** The programs that the bench needs of this system: a C compiler and GNU make; what is missing is said. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sourceOf = (name) => fileURLToPath(new URL(`../c/${name}.c`, import.meta.url));

/**
 * Compiles the C programs into `folder`.
 * @returns `launcher` and `make` are null where there is none; `job` is always there; `notes` are for the reader
 */
export function preparePrograms(folder) {
  const notes = [];
  const launcher = path.join(folder, 'launch');
  const hasCompiler = compile('launch', launcher, []);
  if (!hasCompiler)
    notes.push('No C compiler ("cc"): rows L1 and L2 are skipped, the goal cannot be judged.');
  const make = findMake();
  if (!make) notes.push('No GNU make: its rows are skipped.');
  const job = path.join(folder, 'noop');
  notes.push(prepareJob(job, hasCompiler));
  return { launcher: hasCompiler ? launcher : null, make, job, notes };
}

/** Static where the system can: the dynamic loader costs more than all the rest of a program that does nothing. */
function prepareJob(job, hasCompiler) {
  if (hasCompiler && compile('noop', job, ['-static'])) return 'Jobs: a static C program that does nothing.';
  if (hasCompiler && compile('noop', job, [])) return 'Jobs: a C program that does nothing (not static).';
  writeFileSync(job, '#!/bin/sh\nexit 0\n');
  chmodSync(job, 0o755);
  return 'Jobs: a shell script that does nothing.';
}

function compile(name, target, flags) {
  const { error, status, stderr } = spawnSync('cc', ['-O2', ...flags, '-o', target, sourceOf(name)]);
  // A static libc may be missing; a fault in launch.c is a fault of ours and must not pass for a missing compiler.
  if (!error && status !== 0 && flags.length === 0) throw new Error(`cc ${name}.c: ${stderr}`);
  return !error && status === 0;
}

function findMake() {
  const isGnu = (name) => /^GNU Make/.test(spawnSync(name, ['--version']).stdout ?? '');
  return ['make', 'gmake'].find(isGnu) ?? null;
}
