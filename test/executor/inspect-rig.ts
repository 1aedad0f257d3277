import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ScriptProblem } from '../../src/core/words.js';
import { createInspector } from '../../src/executor/inspect.js';
import { tempFolder } from './support.js';

export const GOOD = '#!/bin/sh\nexit 0\n';
export const NO_COMMANDS: ReadonlyMap<string, string> = new Map();

/** A folder with jobs/, and a look at a job in it. */
export function net() {
  const folder = tempFolder();
  mkdirSync(path.join(folder, 'jobs'));
  const file = (...names: string[]) => path.join(folder, ...names);
  const inspector = createInspector(folder, NO_COMMANDS);
  return { folder, file, inspect: (job = 'J') => inspector.inspect(job) };
}

export const refused = (problem: ScriptProblem) => ({ kind: 'refused', problem });
