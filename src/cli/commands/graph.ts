/** `jobnet graph`: the net as text, Mermaid or Graphviz. */

import { aroundJob, dotOf, graphOf, mermaidOf, textOf } from '../../core/graph.js';
import { nearestName } from '../../core/names.js';
import type { Context } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { visible } from '../view/visible.js';

export const GRAPH_FORMATS = ['text', 'mermaid', 'dot'] as const;

export interface GraphOptions extends NetOptions {
  readonly format: (typeof GRAPH_FORMATS)[number];
  readonly around?: string;
}

export function graph(context: Context, options: GraphOptions): number {
  const place = findPlace(context, options);
  const { net } = loadSheet(context, place);
  const whole = graphOf(net);
  const { around } = options;
  if (around !== undefined && !net.indexes.has(around)) {
    throw new CommandError(EXIT.wrongUse, [
      context.m.noSuchJob(visible(around), nearestName(around, net.names)),
    ]);
  }
  const shown = around === undefined ? whole : aroundJob(net, whole, around);
  const lines = { text: textOf, mermaid: mermaidOf, dot: dotOf }[options.format](net, shown);
  for (const line of lines) context.out(visible(line));
  return EXIT.settled;
}
