import { afterEach, describe, expect, test } from 'vitest';
import { findCycles } from '../../src/core/cycles.js';
import { aroundJob, dotOf, graphOf, mermaidOf, textOf } from '../../src/core/graph.js';
import { planOf } from '../../src/core/plan.js';
import { csv, good, predecessorsOf, problemsOf } from './sheets.js';

describe('GRA-02 a predecessor that does not exist', () => {
  test.each([
    ['two letters swapped', 'LAOD', 'LOAD'],
    ['another case', 'load', 'LOAD'],
    ['one letter missing', 'LOD', 'LOAD'],
    ['full width', 'ＬＯＡＤ', 'LOAD'],
    ['nothing like it', 'WHATEVER', null],
    ['two names in one cell', 'LOAD;CHECK', null],
  ])('refuses the net with row, column and the nearest name: %s', (_, predecessor, nearest) => {
    expect(problemsOf(`job,status,prev1\nLOAD,9,\nSEND,9,${predecessor}\n`)).toEqual([
      { code: 'unknown-predecessor', row: 3, column: 3, job: 'SEND', predecessor, nearest },
    ]);
  });

  test('is not told to wait for itself', () => {
    expect(problemsOf(csv('SEND,9,,,SEMD'))).toMatchObject([{ nearest: null }]);
  });

  test('is reported wherever it stands', () => {
    expect(problemsOf('prev2,job,status,prev1\n,a,9,\nx1,b,9,a\n,c,9,y1\n')).toMatchObject([
      { code: 'unknown-predecessor', row: 3, column: 1 },
      { code: 'unknown-predecessor', row: 4, column: 4 },
    ]);
  });

  test('is reported in every row, though the nearest name is not looked for without end', () => {
    const rows = Array.from({ length: 1200 }, (_, at) => `a_long_name_${at},9,,,LAOD`);
    const nearest = problemsOf(csv('LOAD,9,,,', ...rows)).map(
      (problem) => 'nearest' in problem && problem.nearest,
    );
    expect([nearest.length, nearest[0], nearest.at(-1)]).toEqual([1200, 'LOAD', null]);
  });
});

describe('the word Start', () => {
  test('alone means that there is no predecessor', () => {
    const sheet = good(csv('a,9,,,Start', 'b,9,,,,Start'));
    expect([predecessorsOf(sheet), sheet.warnings]).toEqual([{ a: [], b: [] }, []]);
  });

  test.each([
    ['before it', 'b,9,,,Start,a', 5],
    ['behind it', 'b,9,,,a,Start', 6],
  ])('beside a predecessor is ignored with a warning, and the job waits: %s', (_, row, column) => {
    const sheet = good(csv('a,9,,,', row));
    expect([predecessorsOf(sheet)['b'], sheet.warnings]).toEqual([
      ['a'],
      [{ code: 'start-ignored', row: 3, column, job: 'b' }],
    ]);
  });

  test('twice is still no predecessor', () => {
    const sheet = good(csv('a,9,,,Start,Start'));
    expect([predecessorsOf(sheet), sheet.warnings]).toEqual([{ a: [] }, []]);
  });

  test.each(['start', 'START', 'Strat', 'Ｓｔａｒｔ'])(
    'is spelled exactly so: %s is unknown, with a hint',
    (word) => {
      expect(problemsOf(csv(`a,9,,,${word}`))).toEqual([
        { code: 'unknown-predecessor', row: 2, column: 5, job: 'a', predecessor: word, nearest: 'Start' },
      ]);
    },
  );

  test('is no name of a job', () => {
    expect(problemsOf(csv('Start,9,,,'))).toEqual([
      { code: 'name', row: 2, column: 1, name: 'Start', fault: { kind: 'reserved' } },
    ]);
  });
});

describe('predecessors', () => {
  test('may be left out, which makes a root', () => {
    expect(predecessorsOf(good(csv('a,9', 'b,9,,,,a')))).toEqual({ a: [], b: ['a'] });
  });

  test('named twice count once, with a warning', () => {
    const sheet = good(csv('a,9,,,', 'b,9,,,a, a '));
    expect([predecessorsOf(sheet)['b'], sheet.warnings]).toEqual([
      ['a'],
      [{ code: 'predecessor-repeated', row: 3, column: 6, job: 'b', predecessor: 'a' }],
    ]);
  });

  test('may stand below the job that waits for them', () => {
    expect(predecessorsOf(good(csv('b,9,,,a', 'a,9,,,')))).toEqual({ b: ['a'], a: [] });
  });
});

describe('GRA-03 cycles', () => {
  test('are all listed as closed paths with their rows, and refuse the net', () => {
    expect(problemsOf(csv('A,9,,,A', 'B,9,,,D', 'C,9,,,B', 'D,9,,,C', 'E,9,,,'))).toEqual([
      { code: 'cycle', path: [{ job: 'A', row: 2 }, { job: 'A', row: 2 }] },
      {
        code: 'cycle',
        path: [{ job: 'B', row: 3 }, { job: 'C', row: 4 }, { job: 'D', row: 5 }, { job: 'B', row: 3 }],
      },
    ]);
  }); // biome-ignore format: paths at a glance

  test.each([
    ['of two', ['A,9,,,B', 'B,9,,,A']],
    ['behind a root', ['R,9,,,', 'A,9,,,R,B', 'B,9,,,A']],
    ['before a leaf', ['A,9,,,B', 'B,9,,,A', 'L,9,,,A']],
    ['beside Start', ['A,9,,,Start,B', 'B,9,,,A']],
  ])('are reported: %s', (_, rows) => {
    const [problem, ...others] = problemsOf(csv(...rows));
    const path = problem?.code === 'cycle' ? problem.path.map(({ job }) => job) : [];
    expect([path, others]).toEqual([['A', 'B', 'A'], []]);
  });

  test('are reported together with problems of another kind', () => {
    const codes = problemsOf(csv('A,9,,,B', 'B,9,,,A', 'C,9,,,nobody')).map(({ code }) => code);
    expect(codes).toEqual(['cycle', 'unknown-predecessor']);
  });

  test('are not seen in an unknown predecessor', () => {
    expect(problemsOf(csv('A,9,,,nobody', 'B,9,,,A')).map(({ code }) => code)).toEqual([
      'unknown-predecessor',
    ]);
  });
});

describe('GRA-05 wide diamonds', () => {
  const fan = (letter: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
  const [bs, cs] = [fan('B', 50), fan('C', 50)];
  const text = [
    `job,status,${fan('prev', 50).join(',')}`,
    'A,9',
    ...bs.map((job) => `${job},9,A`),
    ...cs.map((job) => `${job},9,${bs.join(',')}`),
    `D,9,${cs.join(',')}`,
  ].join('\n');

  test('are no cycle', () => {
    expect(findCycles(good(text).net)).toEqual([]);
  });

  test('have each job in the plan once', () => {
    const { net } = good(text);
    const planned = planOf(net, () => true).waves.flat();
    expect([planned.length, new Set(planned).size]).toEqual([102, 102]);
  });

  test('have four waves', () => {
    expect(planOf(good(text).net, () => true).waves.map((wave) => wave.length)).toEqual([1, 50, 50, 1]);
  });
});

describe('GRA-06 jobs with names that every object has', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'prototype',
    '__defineGetter__',
  ];
  const chain = csv(...NAMES.map((name, at) => `${name},9,,,${NAMES[at - 1] ?? ''}`));
  const before = ownNames();

  afterEach(() => {
    expect(ownNames()).toEqual(before);
  });

  test('are ordinary jobs, and one that no row has is unknown', () => {
    expect(problemsOf('job,status,prev1\n__proto__,9,\nconstructor,9,__proto__\nX,9,toString\n')).toEqual([
      { code: 'unknown-predecessor', row: 4, column: 3, job: 'X', predecessor: 'toString', nearest: null },
    ]);
  });

  test('have a place in the net', () => {
    expect(good(chain).net.names).toEqual(NAMES);
  });

  test('are found by their names only when they have a row', () => {
    const { indexes } = good(csv('a,9,,,')).net;
    expect(NAMES.filter((name) => indexes.has(name))).toEqual([]);
  });

  test('run in order', () => {
    expect(planOf(good(chain).net, () => true).criticalPath).toEqual(NAMES);
  });

  test('are found in cycles', () => {
    const rows = NAMES.map((name, at) => `${name},9,,,${NAMES.at(at - 1)}`);
    const [problem] = problemsOf(csv(...rows));
    expect(problem?.code === 'cycle' && problem.path.map(({ job }) => job)).toEqual([...NAMES, '__proto__']);
  });

  test.each([
    ['text', textOf],
    ['mermaid', mermaidOf],
    ['dot', dotOf],
  ])('are drawn: %s', (_, draw) => {
    const { net } = good(chain);
    const lines = draw(net, graphOf(net)).join('\n').replaceAll('#95;', '_');
    expect(NAMES.filter((name) => !lines.includes(name))).toEqual([]);
  });

  test('are drawn with what is around them', () => {
    const { net } = good(chain);
    expect(textOf(net, aroundJob(net, graphOf(net), 'constructor'))).toHaveLength(NAMES.length);
  });

  test('may be headers of columns that nobody knows', () => {
    expect(problemsOf('job,status,__proto__,constructor\na,9,x,y\n')).toEqual([]);
  });
});

function ownNames(): string[][] {
  return [Object.prototype, Object, Array.prototype, Function.prototype].map((one) =>
    Object.getOwnPropertyNames(one),
  );
}
