import fc from 'fast-check';
import { alg } from 'graphlib';
import { afterAll, describe, expect, test } from 'vitest';
import { CYCLES_MAX, findCycles } from '../../src/core/cycles.js';
import { graphOf } from '../../src/core/graph.js';
import { topologicalOrder } from '../../src/core/net.js';
import { acyclicGraphs, edgePairs, graphs, netOf } from './nets.js';

const RUNS = 2000;
const SIZE_MAX = 60;

/** Jobs that can be reached from themselves, by trying every way. */
function cyclicJobs(graph: readonly (readonly number[])[]): number[] {
  const reached = graph.map((own) => new Set(own));
  for (const through of graph.keys()) {
    for (const from of reached) if (from.has(through)) for (const to of reached[through]!) from.add(to);
  }
  return [...graph.keys()].filter((job) => reached[job]!.has(job));
}

describe('cycles of a random graph', () => {
  let cyclic = 0;
  let acyclic = 0;

  test(`are closed paths along edges (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(graphs(SIZE_MAX), (graph) => {
        for (const path of findCycles(netOf(graph))) {
          const steps = path.slice(1).map((job, at) => graph[job]!.includes(path[at]!));
          expect([steps.length > 0, steps.every(Boolean), path[0]]).toEqual([true, true, path.at(-1)]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test(`go through no job twice (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(graphs(SIZE_MAX), (graph) => {
        for (const path of findCycles(netOf(graph))) expect(new Set(path).size).toBe(path.length - 1);
      }),
      { numRuns: RUNS },
    );
  });

  test(`cover exactly the jobs that can be reached from themselves (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(graphs(SIZE_MAX), (graph) => {
        const cycles = findCycles(netOf(graph));
        const expected = cyclicJobs(graph);
        if (expected.length > 0) cyclic++;
        else acyclic++;
        fc.pre(cycles.length < CYCLES_MAX);
        expect([...new Set(cycles.flat())].sort((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  test('were there, and were not there, often enough', () => {
    expect(Math.min(cyclic, acyclic)).toBeGreaterThan(RUNS / 20);
  });

  test(`are none where all edges lead down (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(acyclicGraphs(SIZE_MAX), (graph) => {
        expect(findCycles(netOf(graph))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  afterAll(() => {
    console.log(`cycles: ${cyclic} graphs with cycles, ${acyclic} without`);
  });
});

describe('the order of a random graph without cycles', () => {
  test(`puts predecessors first (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(acyclicGraphs(SIZE_MAX), (graph) => {
        const net = netOf(graph);
        const place = new Map([...topologicalOrder(net).order].map((job, at) => [job, at]));
        expect(edgePairs(net).filter(([before, job]) => place.get(before)! >= place.get(job)!)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test(`has the jobs that graphlib's has (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(acyclicGraphs(SIZE_MAX), (graph) => {
        const net = netOf(graph);
        const own = Array.from(topologicalOrder(net).order, (job) => `j${job}`);
        expect(own.sort()).toEqual(alg.topsort(graphOf(net)).sort());
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the order of any random graph', () => {
  test(`is whole exactly when graphlib calls it acyclic (${RUNS} graphs)`, () => {
    fc.assert(
      fc.property(graphs(SIZE_MAX), (graph) => {
        const net = netOf(graph);
        expect(topologicalOrder(net).order.length === net.names.length).toBe(alg.isAcyclic(graphOf(net)));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('cycles', () => {
  test('are found in a job that waits for itself', () => {
    expect(findCycles(netOf([[0]]))).toEqual([[0, 0]]);
  });

  test('are given from their first job in the file, in the order of running', () => {
    expect(findCycles(netOf([[], [3], [1], [2]]))).toEqual([[1, 2, 3, 1]]);
  });

  test('are the shortest that go through their first job', () => {
    expect(findCycles(netOf([[1, 3], [0, 2], [3], [1]]))[0]).toEqual([0, 1, 0]);
  });

  test('are given in the order of the file', () => {
    expect(findCycles(netOf([[], [2], [1], [4], [3], [5]])).map((path) => path[0])).toEqual([1, 3, 5]);
  });

  test('leave out a job that only lies between two of them', () => {
    expect(findCycles(netOf([[1], [0], [1], [2, 4], [3]])).flat()).not.toContain(2);
  });

  test(`are ${CYCLES_MAX} at most, the first of the file`, () => {
    const pairs = Array.from({ length: 60 }, (_, index) => [index % 2 === 0 ? index + 1 : index - 1]);
    const firsts = findCycles(netOf(pairs)).map((path) => path[0]);
    expect(firsts).toEqual(Array.from({ length: CYCLES_MAX }, (_, at) => at * 2));
  });

  describe('of more jobs than graphlib can take', () => {
    const graph = Array.from({ length: 3000 }, (_, index) => [index % 1500 === 0 ? index + 1499 : index - 1]);
    const cycles = findCycles(netOf(graph));

    test('are closed paths as well', () => {
      expect(cycles.map((path) => [path.length, path[0] === path.at(-1)])).toEqual([
        [1501, true],
        [1501, true],
      ]);
    });

    test('lead along edges', () => {
      const wrong = cycles.flatMap((path) =>
        path.slice(1).filter((job, at) => !graph[job]!.includes(path[at]!)),
      );
      expect(wrong).toEqual([]);
    });
  });
});
