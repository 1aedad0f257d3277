/** Drawings of the net. graphlib holds the graph; ids are prefixed, as it writes some names into plain objects. */
import { alg, Graph } from 'graphlib';
import { edgesOf, type Net, topologicalOrder } from './net.js';
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
  const id = idOf(net.indexes.get(job)!);
  const kept = new Set([...alg.preorder(graph, [id]), ...alg.preorder(reversed(graph), [id])]);
  return graph.filterNodes((node) => kept.has(node));
}

function reversed(graph: Graph): Graph {
  const turned = new Graph();
  for (const node of graph.nodes()) turned.setNode(node);
  for (const { v, w } of graph.edges()) turned.setEdge(w, v);
  return turned;
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
