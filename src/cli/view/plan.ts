/** A plan on screen: its waves and its longest chain. */
import type { Plan } from '../../core/plan.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { cut } from './text.js';
import { visible } from './visible.js';

/** Waves and jobs printed at most; `plan --json` has all. */
const WAVES_MAX = 40;
const JOBS_MAX = 12;

export function printPlan(context: Context, place: Place, plan: Plan): void {
  const { m } = context;
  const jobs = plan.waves.reduce((sum, wave) => sum + wave.length, 0);
  context.out(m.planHead(visible(place.shown), jobs, plan.waves.length));
  plan.waves.slice(0, WAVES_MAX).forEach((wave, index) => {
    context.out(`${String(index + 1).padStart(4)}  ${listOf(wave, JOBS_MAX, m.moreRunning)}`);
  });
  if (plan.waves.length > WAVES_MAX) context.out(`      ${m.moreWaves(plan.waves.length - WAVES_MAX)}`);
  context.out(
    `${m.criticalPath(plan.criticalPath.length)}: ${listOf(plan.criticalPath, WAVES_MAX, m.moreRunning, ' -> ')}`,
  );
}

function listOf(
  names: readonly string[],
  max: number,
  more: (count: number) => string,
  separator = ', ',
): string {
  const named = names.slice(0, max).map((name) => cut(visible(name), 40));
  if (names.length > max) named.push(more(names.length - max));
  return named.join(separator);
}
