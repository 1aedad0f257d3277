/** What was found out about attempts whose controller is gone, a line for each. */
import type { Judged } from '../../executor/evidence.js';
import type { Context } from '../context.js';
import { visible } from './visible.js';

const LINES_MAX = 50;

export function findingLines({ m }: Context, judged: readonly Judged[]): string[] {
  const lines = judged
    .slice(0, LINES_MAX)
    .map(({ job, attempt, finding, pids }) => `${visible(job)} #${attempt}  ${m.finding(finding, pids)}`);
  return judged.length > LINES_MAX ? [...lines, m.more(judged.length - LINES_MAX)] : lines;
}
