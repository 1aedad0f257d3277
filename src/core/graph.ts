/** Drawings of the net. graphlib holds the graph; ids are prefixed, as it writes some names into plain objects. */
import { Graph } from 'graphlib';
import { type Edges, edgesOf, type Net, topologicalOrder } from './net.js';
import type { JobName } from './words.js';

const idOf = (index: number) => `j${index}`;
const indexOf = (id: string) => Number(id.slice(1));

export function graphOf(net: Net): Graph {
  const graph = new Graph();
  net.names.forEach((_, index) => {
    graph.setNode(idOf(index));
  });
  net.names.forEach((_, index) => {
    for (const predecessor of edgesOf(net.predecessors, index)) graph.setEdge(idOf(predecessor), idOf(index));
  });
  return graph;
}

/** Only a job, everything it waits for and everything that waits for it. */
export function aroundJob(net: Net, graph: Graph, job: JobName): Graph {
  const start = net.indexes.get(job)!;
  const kept = new Set([...reachable(net.predecessors, start), ...reachable(net.successors, start)]);
  return graph.filterNodes((id) => kept.has(indexOf(id)));
}

/** Along the edges from one job, itself included. Not graphlib's search: that recurses, and a long chain is deep. */
function reachable(edges: Edges, start: number): Set<number> {
  const reached = new Set([start]);
  for (const index of reached) for (const next of edgesOf(edges, index)) reached.add(next);
  return reached;
}

/** Indexes of the jobs of a graph in file order. */
function jobsOf(graph: Graph): number[] {
  return graph
    .nodes()
    .map(indexOf)
    .sort((a, b) => a - b);
}

/** Waves of jobs, each with its predecessors. */
export function textOf(net: Net, graph: Graph): string[] {
  const { waves } = topologicalOrder(net);
  const lines: string[] = [];
  let wave = -1;
  for (const index of jobsOf(graph).sort((a, b) => waves[a]! - waves[b]! || a - b)) {
    const isFirst = waves[index] !== wave;
    wave = waves[index]!;
    const before = (graph.predecessors(idOf(index)) ?? []).map(indexOf).sort((a, b) => a - b);
    const arrow = before.length > 0 ? `  <- ${before.map((one) => net.names[one]).join(', ')}` : '';
    lines.push(`${isFirst ? String(wave + 1).padStart(4) : '    '}  ${net.names[index]}${arrow}`);
  }
  return lines;
}

/** A flowchart for Mermaid (GitHub and many editors draw it). */
export function mermaidOf(net: Net, graph: Graph): string[] {
  const label = (name: string) =>
    [...name].map((one) => (/[\w \-.]|[^\x20-\x7e]/.test(one) ? one : `#${one.codePointAt(0)};`)).join('');
  const nodes = jobsOf(graph).map((index) => `  ${idOf(index)}["${label(net.names[index]!)}"]`);
  return ['flowchart TD', ...nodes, ...graph.edges().map(({ v, w }) => `  ${v} --> ${w}`)];
}

/** A digraph for Graphviz. */
export function dotOf(net: Net, graph: Graph): string[] {
  const label = (name: string) => name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const nodes = jobsOf(graph).map((index) => `  ${idOf(index)} [label="${label(net.names[index]!)}"];`);
  return [
    'digraph jobnet {',
    '  node [shape=box];',
    ...nodes,
    ...graph.edges().map(({ v, w }) => `  ${v} -> ${w};`),
    '}',
  ];
}
