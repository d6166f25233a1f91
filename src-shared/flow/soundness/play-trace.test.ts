import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import { type FlowGraph, type GraphNode, type NodeBody, nodeIdOf } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { analyse } from './analyse.ts';
import { playTrace } from './play-trace.ts';

type Sketch = readonly [kind: GraphNodeKind, from: string, to: string, body?: NodeBody];

function graphOf(sketches: readonly Sketch[], input = 'A', output = 'Z'): FlowGraph {
  const nodes = sketches.map(
    ([kind, from, to, body], index): GraphNode => ({
      id: nodeIdOf(from.split(' ')),
      kind,
      from: from.split(' '),
      to: to.split(' '),
      body: body ?? { type: 'default' },
      path: `/nodes/${index}`,
    }),
  );
  return { name: 'T', input, output, schemas: {}, nodes, limits: defaultLimits, hash: '' };
}

const stuck: readonly Sketch[] = [
  ['fork', 'A', 'B C'],
  ['either', 'B', 'D E'],
  ['work', 'D', 'F'],
  ['join', 'E C', 'F'],
  ['work', 'F', 'Z'],
];

describe('playTrace', () => {
  it('notes what waits after each firing', () => {
    const played = playTrace(graphOf(stuck), [{ node: 'A' }, { node: 'B', branch: 'D' }, { node: 'D' }]);
    expect(played?.steps.map(({ node, branch, produced, marking }) => ({ node, branch, produced, marking }))).toEqual([
      { node: 'A', branch: undefined, produced: ['B', 'C'], marking: ['B', 'C'] },
      { node: 'B', branch: 'D', produced: ['D'], marking: ['C', 'D'] },
      { node: 'D', branch: undefined, produced: ['F'], marking: ['C', 'F'] },
    ]);
    expect(played?.able).toEqual(['F']);
    expect(played?.left).toEqual([
      { state: 'C', node: 'E+C', missing: ['E'] },
      { state: 'F', node: 'F', missing: [] },
    ]);
  });

  it('says which state is produced twice', () => {
    const graph = graphOf([
      ['fork', 'A', 'B C'],
      ['work', 'B', 'D'],
      ['work', 'C', 'D'],
      ['work', 'D', 'Z'],
    ]);
    const played = playTrace(graph, [{ node: 'A' }, { node: 'B' }, { node: 'C' }]);
    expect(played?.collision).toBe('D');
    expect(played?.able).toEqual([]);
  });

  it('plays the flow under an each node with names of its own', () => {
    const body: NodeBody = { type: 'each', flow: graphOf(stuck) };
    const graph = graphOf([['each', 'List', 'Done', body]], 'List', 'Done');
    const [problem] = analyse(graph).problems;
    const played = playTrace(graph, problem?.trace ?? []);
    expect(played?.inside).toBe('List');
    expect(played?.steps[0]).toMatchObject({ node: 'List::A', produced: ['List::B', 'List::C'] });
    expect(played?.left.map(({ node }) => node)).toContain('List::E+C');
  });

  it('refuses firings that do not fit the flow', () => {
    const graph = graphOf(stuck);
    expect(playTrace(graph, [{ node: 'Nowhere' }])).toBeNull();
    expect(playTrace(graph, [{ node: 'B', branch: 'D' }])).toBeNull();
    expect(playTrace(graph, [{ node: 'A' }, { node: 'B' }])).toBeNull();
    expect(playTrace(graph, [{ node: 'A' }, { node: 'B', branch: 'F' }])).toBeNull();
  });

  it('ends every counterexample that the proof finds where the proof says', () => {
    const kinds = fc.constantFrom<GraphNodeKind>('work', 'either', 'fork', 'join');
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'Z'];
    const name = fc.constantFrom(...names.slice(0, -1));
    const target = fc.constantFrom(...names.slice(1));
    const pair = (of: fc.Arbitrary<string>) => fc.uniqueArray(of, { minLength: 2, maxLength: 2 });
    const sketch = fc.tuple(kinds, name, pair(name), target, pair(target));
    const graphs = fc.array(sketch, { minLength: 2, maxLength: 7 }).map((sketches) => {
      const taken = new Set<string>();
      return graphOf(
        sketches.flatMap(([kind, one, two, to, both]): Sketch[] => {
          const from = kind === 'join' ? two : [one];
          if (from.some((state) => taken.has(state))) return [];
          for (const state of from) taken.add(state);
          return [[kind, from.join(' '), kind === 'either' || kind === 'fork' ? both.join(' ') : to]];
        }),
      );
    });
    let played = 0;
    fc.assert(
      fc.property(graphs, (graph) => {
        for (const { code, trace = [], nodes } of analyse(graph).problems) {
          const end = playTrace(graph, trace);
          expect(end, `${code} ${JSON.stringify(trace)}`).not.toBeNull();
          if (!end) return;
          played += 1;
          const output = end.left.some(({ state }) => state === graph.output);
          if (code === 'state_collision') expect(end.collision).not.toBeNull();
          else expect(end.collision).toBeNull();
          if (code === 'improper_completion') expect(output && end.left.length > 1).toBe(true);
          if (code === 'deadlock_possible') {
            expect(output).toBe(false);
            expect(end.left.map(({ node }) => node)).toEqual(expect.arrayContaining(nodes));
          }
        }
      }),
      { seed: 20261122, numRuns: 2000 },
    );
    expect(played).toBeGreaterThan(1000);
  });
});
