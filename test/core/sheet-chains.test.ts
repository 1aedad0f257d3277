import { describe, expect, test } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { findCycles } from '../../src/core/cycles.js';
import { aroundJob, dotOf, graphOf, textOf } from '../../src/core/graph.js';
import { type Net, topologicalOrder } from '../../src/core/net.js';
import { planOf } from '../../src/core/plan.js';
import { blockersOf } from '../../src/core/project.js';
import { createState } from '../../src/core/state.js';
import { good, problemsOf } from './sheets.js';

/** J1 to J`length`, each waiting for the one before. */
function chainText(length: number, isReversed: boolean, first = ''): string {
  const rows = Array.from({ length }, (_, at) => `J${at + 1},9,${at > 0 ? `J${at}` : first}`);
  return `${['job,status,prev1', ...(isReversed ? rows.reverse() : rows)].join('\n')}\n`;
}

function indexOf(net: Net, name: string): number {
  return net.indexes.get(name)!;
}

describe.each([
  [20_000, 'in order', false],
  [20_000, 'in reverse order', true],
  [100_000, 'in order', false],
  [100_000, 'in reverse order', true],
])('GRA-04 a chain of %i jobs, rows %s', (length, _, isReversed) => {
  const { net } = good(chainText(length, isReversed));
  const first = indexOf(net, 'J1');
  const last = indexOf(net, `J${length}`);

  test('is read whole', () => {
    expect(net.names).toHaveLength(length);
  });

  test('has an order from its first to its last job', () => {
    const { order } = topologicalOrder(net);
    expect([order.length, order[0], order[length - 1]]).toEqual([length, first, last]);
  });

  test('has as many waves as jobs', () => {
    expect(topologicalOrder(net).waves[last]).toBe(length - 1);
  });

  test('has no cycle', () => {
    expect(findCycles(net)).toEqual([]);
  });

  test('is its own longest chain in the plan', () => {
    const { criticalPath } = planOf(net, () => true);
    expect([criticalPath.length, criticalPath[0], criticalPath.at(-1)]).toEqual([length, 'J1', `J${length}`]);
  });

  test('has its first job as the blocker of its last when that has abended', () => {
    const state = createState(net);
    apply(state, { type: 'abended', job: 'J1', attempt: 0, reason: { kind: 'from-csv' }, endedAt: null }, 0);
    expect(blockersOf(state).get(last)).toEqual(['J1']);
  });
});

describe.each([
  ['in order', false],
  ['in reverse order', true],
])('GRA-04 a chain of 20,000 jobs, rows %s', (_, isReversed) => {
  const length = 20_000;
  const { net } = good(chainText(length, isReversed));

  test('is drawn as text, a line a job', () => {
    const lines = textOf(net, graphOf(net));
    expect([lines.length, lines.at(-1)]).toEqual([length, `${length}  J${length}  <- J${length - 1}`]);
  });

  test('is drawn for Graphviz with all its edges', () => {
    expect(dotOf(net, graphOf(net)).filter((line) => line.includes('->'))).toHaveLength(length - 1);
  });

  test('is all around the job in its middle', () => {
    expect(aroundJob(net, graphOf(net), `J${length / 2}`).nodeCount()).toBe(length);
  });
});

describe.each([
  [20_000, false],
  [100_000, true],
])('GRA-04 a chain of %i jobs whose first waits for its last (rows reversed: %s)', (length, isReversed) => {
  test('is reported as one closed path through all of them', () => {
    const [problem, ...others] = problemsOf(chainText(length, isReversed, `J${length}`));
    const path = problem?.code === 'cycle' ? problem.path : [];
    expect([path.length, path[0], others]).toEqual([length + 1, path.at(-1), []]);
  });
});

describe('GRA-04 a cycle of two in the middle of a chain of 100,000', () => {
  test('is reported as exactly that', () => {
    const text = chainText(100_000, false).replace('J50000,9,J49999', 'J50000,9,J50001');
    const [problem] = problemsOf(text);
    expect(problem?.code === 'cycle' && problem.path.map(({ job }) => job)).toEqual([
      'J50000',
      'J50001',
      'J50000',
    ]);
  });
});
