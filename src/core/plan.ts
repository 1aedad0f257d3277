/** What a run would do before it starts: the waves of jobs, and the longest chain, which no parallelism shortens. */
import { edgesOf, type Net, topologicalOrder } from './net.js';
import type { JobName } from './words.js';

export interface Plan {
  /** Jobs that would run; a wave can start when the one before has ended. In file order within a wave. */
  readonly waves: readonly (readonly JobName[])[];
  /** The longest chain of jobs that would run, counted in jobs. */
  readonly criticalPath: readonly JobName[];
}

/** The plan for the jobs of which `runs` holds; the others count as settled. */
export function planOf(net: Net, runs: (index: number) => boolean): Plan {
  const { order } = topologicalOrder(net);
  const depths = new Int32Array(net.names.length);
  const before = new Int32Array(net.names.length).fill(-1);
  const waves: number[][] = [];
  let deepest = -1;
  for (const index of order) {
    if (!runs(index)) continue;
    depths[index] = 1;
    for (const predecessor of edgesOf(net.predecessors, index)) {
      if (depths[predecessor]! >= depths[index]!) {
        depths[index] = depths[predecessor]! + 1;
        before[index] = predecessor;
      }
    }
    const depth = depths[index]!;
    waves[depth - 1] ??= [];
    waves[depth - 1]!.push(index);
    if (deepest < 0 || depth > depths[deepest]!) deepest = index;
  }
  const criticalPath: number[] = [];
  for (let index = deepest; index >= 0; index = before[index]!) criticalPath.push(index);
  return {
    waves: waves.map((wave) => wave.sort((a, b) => a - b).map((index) => net.names[index]!)),
    criticalPath: criticalPath.reverse().map((index) => net.names[index]!),
  };
}
