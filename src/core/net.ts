/** The net as index arrays: jobs in file order, their predecessors and successors, the order Kahn's pass gives. */
import type { JobName, Millis } from './words.js';

/** Lists of job indexes packed into one array: those of job `i` are `targets[offsets[i] .. offsets[i + 1])`. */
export interface Edges {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

export interface Net {
  readonly names: readonly JobName[];
  readonly indexes: ReadonlyMap<JobName, number>;
  /** Row of each job in its file, counted from 1 with the header; 0 for a live job whose row is gone. */
  readonly rows: Int32Array;
  /** Jobs that run a command instead of their script. */
  readonly commands: ReadonlyMap<JobName, string>;
  /** Jobs that run again by themselves when nobody knows how they ended. */
  readonly rerunsLost: ReadonlySet<JobName>;
  /** How long a job may run. */
  readonly timeouts: ReadonlyMap<JobName, Millis>;
  readonly predecessors: Edges;
  readonly successors: Edges;
}

/** Jobs, each with the indexes of its predecessors. */
export function createNet(parts: Omit<Net, 'successors'>): Net {
  return { ...parts, successors: reversed(parts.predecessors, parts.names.length) };
}

function reversed(edges: Edges, size: number): Edges {
  const offsets = new Int32Array(size + 1);
  for (const target of edges.targets) offsets[target + 1]!++;
  for (let index = 0; index < size; index++) offsets[index + 1]! += offsets[index]!;
  const next = offsets.slice();
  const targets = new Int32Array(edges.targets.length);
  for (let index = 0; index < size; index++) {
    for (let at = edges.offsets[index]!; at < edges.offsets[index + 1]!; at++) {
      targets[next[edges.targets[at]!]!++] = index;
    }
  }
  return { offsets, targets };
}

/** Row 0: a live job that lost its row; it is nobody's predecessor or successor. */
export function hasRow(net: Net, index: number): boolean {
  return net.rows[index] !== 0;
}

/** The indexes in one list of `edges`. */
export function edgesOf(edges: Edges, index: number): Int32Array {
  return edges.targets.subarray(edges.offsets[index]!, edges.offsets[index + 1]!);
}

export function namesOf(net: Net, edges: Edges, index: number): JobName[] {
  return Array.from(edgesOf(edges, index), (target) => net.names[target]!);
}

/** Numbers of predecessors by job. */
export function predecessorCounts(net: Net): Int32Array {
  const counts = new Int32Array(net.names.length);
  for (let index = 0; index < counts.length; index++) {
    counts[index] = net.predecessors.offsets[index + 1]! - net.predecessors.offsets[index]!;
  }
  return counts;
}

/**
 * Kahn's pass: jobs in an order in which predecessors come first, and each job's wave (0 for the first).
 * In a net with cycles `order` is shorter than the net. Iterative: a chain of a million jobs has no depth.
 */
export function topologicalOrder(net: Net): { order: Int32Array; waves: Int32Array } {
  const open = predecessorCounts(net);
  const waves = new Int32Array(open.length);
  const order = new Int32Array(open.length);
  let found = 0;
  for (let index = 0; index < open.length; index++) if (open[index] === 0) order[found++] = index;
  for (let taken = 0; taken < found; taken++) {
    const index = order[taken]!;
    for (const successor of edgesOf(net.successors, index)) {
      waves[successor] = Math.max(waves[successor]!, waves[index]! + 1);
      if (--open[successor]! === 0) order[found++] = successor;
    }
  }
  return { order: order.subarray(0, found), waves };
}
