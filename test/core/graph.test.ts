import { describe, expect, test } from 'vitest';
import { aroundJob, dotOf, graphOf, mermaidOf, textOf } from '../../src/core/graph.js';
import { csv, good } from './sheets.js';

/** a before b and c, both before d; e alone; named so that file order and order of running differ. */
const { net } = good(csv('d,9,,,b,c', 'b,9,,,a,', 'a,9,,,,', 'c,9,,,a,', 'e,9,,,,'));

describe('a drawing as text', () => {
  test('shows waves, in file order within a wave, each job with its predecessors', () => {
    expect(textOf(net, graphOf(net))).toEqual([
      '   1  a',
      '      e',
      '   2  b  <- a',
      '      c  <- a',
      '   3  d  <- b, c',
    ]);
  });

  test('around a job shows what it waits for and what waits for it', () => {
    expect(textOf(net, aroundJob(net, graphOf(net), 'b'))).toEqual([
      '   1  a',
      '   2  b  <- a',
      '   3  d  <- b',
    ]);
  });

  test('around a job without predecessors and successors shows it alone', () => {
    expect(textOf(net, aroundJob(net, graphOf(net), 'e'))).toEqual(['   1  e']);
  });
});

describe('a drawing for Mermaid', () => {
  test('has a node for each job and an edge for each predecessor', () => {
    expect(mermaidOf(net, aroundJob(net, graphOf(net), 'b'))).toEqual([
      'flowchart TD',
      '  j0["d"]',
      '  j1["b"]',
      '  j2["a"]',
      '  j1 --> j0',
      '  j2 --> j1',
    ]);
  });

  test('escapes what would end a label', () => {
    const { net: own } = good('job,status\n"say ""hi""; <b>#1</b>[x]",9\n'.replace('</b>', '(b)'));
    expect(mermaidOf(own, graphOf(own))[1]).toBe(
      '  j0["say #34;hi#34;#59; #60;b#62;#35;1#40;b#41;#91;x#93;"]',
    );
  });

  test('leaves Japanese as it is', () => {
    const { net: own } = good(csv('日次 集計,9,,,'));
    expect(mermaidOf(own, graphOf(own))[1]).toBe('  j0["日次 集計"]');
  });
});

describe('a drawing for Graphviz', () => {
  test('has a node for each job and an edge for each predecessor', () => {
    expect(dotOf(net, aroundJob(net, graphOf(net), 'b'))).toEqual([
      'digraph jobnet {',
      '  node [shape=box];',
      '  j0 [label="d"];',
      '  j1 [label="b"];',
      '  j2 [label="a"];',
      '  j1 -> j0;',
      '  j2 -> j1;',
      '}',
    ]);
  });

  test('escapes quotes and backslashes', () => {
    const { net: own } = good('job,status\n"a\\n ""b""",9\n');
    expect(dotOf(own, graphOf(own))[2]).toBe('  j0 [label="a\\\\n \\"b\\""];');
  });
});
