/** Cycles as closed paths, from what Kahn's pass leaves over. */
import { alg, Graph } from 'graphlib';
import { edgesOf, type Net, topologicalOrder } from './net.js';

/** graphlib's search recurses: about 2,260 jobs in a row end in a RangeError (4.0.6). */
const GRAPHLIB_JOBS_MAX = 1000;
/** Reported at most; a net with more is not read to its end by anybody. */
export const CYCLES_MAX = 20;

/**
 * Closed paths of job indexes, each in the order of running, the first index again at the end. Every job that is
 * part of a cycle lies on one of them, up to the limits above; with more jobs left over than graphlib can take,
 * one path for each walk back that closes.
 */
export function findCycles(net: Net): number[][] {
  const remainder = cyclicRemainder(net);
  if (remainder.size === 0) return [];
  if (remainder.size > GRAPHLIB_JOBS_MAX) return walksBack(net, remainder);
  const cycles: number[][] = [];
  const groupOf = new Map<number, ReadonlySet<number>>();
  for (const group of cyclicGroups(net, remainder)) for (const index of group) groupOf.set(index, group);
  const uncovered = new Set([...groupOf.keys()].sort((a, b) => a - b));
  for (const start of uncovered) {
    const path = shortestCycle(net, groupOf.get(start)!, start);
    for (const index of path) uncovered.delete(index);
    cycles.push(path);
    if (cycles.length === CYCLES_MAX) break;
  }
  return cycles;
}

/** Jobs that neither Kahn's pass from the roots nor the same pass from the leaves can take away. */
function cyclicRemainder(net: Net): Set<number> {
  const { order } = topologicalOrder(net);
  if (order.length === net.names.length) return new Set();
  const left = new Set(net.names.keys());
  for (const index of order) left.delete(index);
  const open = new Map<number, number>();
  const leaves: number[] = [];
  for (const index of left) {
    const count = edgesOf(net.successors, index).filter((successor) => left.has(successor)).length;
    open.set(index, count);
    if (count === 0) leaves.push(index);
  }
  for (let leaf = leaves.pop(); leaf !== undefined; leaf = leaves.pop()) {
    left.delete(leaf);
    for (const predecessor of edgesOf(net.predecessors, leaf)) {
      const count = open.get(predecessor);
      if (count === undefined) continue;
      open.set(predecessor, count - 1);
      if (count === 1) leaves.push(predecessor);
    }
  }
  return left;
}

/** Strongly connected groups. Ids are prefixed: graphlib writes an id like `__proto__` into plain objects. */
function cyclicGroups(net: Net, remainder: ReadonlySet<number>): Set<number>[] {
  const graph = new Graph();
  for (const index of remainder) graph.setNode(`j:${index}`);
  for (const index of remainder) {
    for (const successor of edgesOf(net.successors, index)) {
      if (remainder.has(successor)) graph.setEdge(`j:${index}`, `j:${successor}`);
    }
  }
  return alg.findCycles(graph).map((ids) => new Set(ids.map((id) => Number(id.slice(2)))));
}

/** Breadth first from one job through its group and back to it. */
function shortestCycle(net: Net, group: ReadonlySet<number>, start: number): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const index of queue) {
    for (const successor of edgesOf(net.successors, index)) {
      if (successor === start) return [...pathTo(cameFrom, start, index), start];
      if (!group.has(successor) || cameFrom.has(successor)) continue;
      cameFrom.set(successor, index);
      queue.push(successor);
    }
  }
  throw new Error(`impossible: job ${start} is in no cycle of its group`);
}

function pathTo(cameFrom: ReadonlyMap<number, number>, start: number, end: number): number[] {
  const path = [end];
  for (let index = end; index !== start; ) {
    index = cameFrom.get(index)!;
    path.push(index);
  }
  return path.reverse();
}

/** From each job not seen yet, back over predecessors until a job comes again: that closes a path. */
function walksBack(net: Net, remainder: ReadonlySet<number>): number[][] {
  const seen = new Set<number>();
  const cycles: number[][] = [];
  for (const start of remainder) {
    if (seen.has(start)) continue;
    const places = new Map<number, number>();
    const walk: number[] = [];
    let index = start;
    while (!seen.has(index)) {
      seen.add(index);
      places.set(index, walk.length);
      walk.push(index);
      index = edgesOf(net.predecessors, index).find((predecessor) => remainder.has(predecessor))!;
    }
    const place = places.get(index);
    if (place === undefined) continue;
    const cycle = walk.slice(place).reverse();
    cycles.push([...cycle, cycle[0]!]);
    if (cycles.length === CYCLES_MAX) break;
  }
  return cycles;
}
