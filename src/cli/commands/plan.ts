/** `jobnet plan`: the waves of a net and its longest chain. */
import { planOf } from '../../core/plan.js';
import type { Context } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { printPlan } from '../view/plan.js';

export interface PlanOptions extends NetOptions {
  readonly json: boolean;
}

export function plan(context: Context, options: PlanOptions): number {
  const place = findPlace(context, options);
  const { net } = loadSheet(context, place);
  const found = planOf(net, () => true);
  if (options.json) context.out(JSON.stringify({ file: place.given, ...found }));
  else printPlan(context, place, found);
  return EXIT.settled;
}
