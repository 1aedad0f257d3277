/**
 * The usual fenced write, rebuilt to show its faults: the highest token is checked, replaced in two steps, and the
 * content is renamed into its place afterwards.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Program } from '../halting.js';

export function* writeScriptFenced(
  target: string,
  token: number,
  content: string,
): Program<'written' | 'refused'> {
  const fence = `${target}.fence`;
  const last = existsSync(fence) ? Number(readFileSync(fence, 'utf8').trim() || '0') : 0;
  if (token < last) return 'refused';
  yield 'truncate fence';
  writeFileSync(fence, '');
  yield 'write fence';
  writeFileSync(fence, String(token));
  const prepared = `${target}.tmp.${token}`;
  writeFileSync(prepared, content);
  yield 'rename content';
  renameSync(prepared, target);
  return 'written';
}
