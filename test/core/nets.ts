/** Nets from lists of predecessors, and random graphs. */
import fc from 'fast-check';
import { createNet, edgesOf, type Net } from '../../src/core/net.js';

/** @param predecessors for each job the indexes of its predecessors; the jobs are called j0, j1 … */
export function netOf(predecessors: readonly (readonly number[])[]): Net {
  const names = predecessors.map((_, index) => `j${index}`);
  const offsets = [0];
  for (const own of predecessors) offsets.push(offsets.at(-1)! + own.length);
  return createNet({
    names,
    indexes: new Map(names.map((name, index) => [name, index])),
    rows: Int32Array.from(names, (_, index) => index + 2),
    commands: new Map(),
    rerunsLost: new Set(),
    timeouts: new Map(),
    predecessors: { offsets: Int32Array.from(offsets), targets: Int32Array.from(predecessors.flat()) },
  });
}

/** Any graph, self loops included; the denser ones are mostly one knot. */
export function graphs(sizeMax: number): fc.Arbitrary<number[][]> {
  return fc.integer({ min: 1, max: sizeMax }).chain((size) => {
    const own = fc.oneof(
      { weight: 3, arbitrary: fc.uniqueArray(fc.nat(size - 1), { maxLength: 1 }) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }) },
    );
    return fc.array(own, { minLength: size, maxLength: size });
  });
}

/** A graph without cycles: the edges of any graph that lead down in a random ranking. */
export function acyclicGraphs(sizeMax: number): fc.Arbitrary<number[][]> {
  return graphs(sizeMax).chain((graph) =>
    fc
      .shuffledSubarray([...graph.keys()], { minLength: graph.length })
      .map((rank) => graph.map((own, index) => own.filter((other) => rank[other]! < rank[index]!))),
  );
}

/** Each pair predecessor, job. */
export function edgePairs(net: Net): [number, number][] {
  return net.names.flatMap((_, index) =>
    Array.from(edgesOf(net.predecessors, index), (predecessor): [number, number] => [predecessor, index]),
  );
}
