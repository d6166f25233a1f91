import { expect, it } from 'vitest';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { firingKey, shortestRoutes } from './shortest-routes.ts';
import { workflowNet } from './workflow-net.ts';

const node = (kind: GraphNode['kind'], from: string[], to: string[]): GraphNode => ({
  id: from.join('+'),
  kind,
  from,
  to,
  body: { type: 'default' },
  path: '',
});

const graph = (nodes: GraphNode[]): FlowGraph => ({
  name: 'G',
  input: 'A',
  output: 'Z',
  schemas: {},
  nodes,
  limits: defaultLimits,
  hash: '',
});

/** The route to a firing as the ids of its nodes, and the states that wait at its end. */
function routeTo(flow: FlowGraph, id: string, branch?: string, limit?: number): [string[], string[]] | null {
  const net = workflowNet(flow);
  const at = flow.nodes.findIndex((each) => each.id === id);
  const transition = branch === undefined ? 0 : (flow.nodes[at]?.to.indexOf(branch) ?? 0);
  const route = shortestRoutes(net, limit).get(firingKey({ node: at, transition }));
  return route
    ? [route.firings.map((firing) => flow.nodes[firing.node]?.id ?? ''), route.marking.map((place) => net.places[place] ?? '')]
    : null;
}

const flow = graph([
  node('either', ['A'], ['B', 'C']),
  node('work', ['B'], ['A']),
  node('fork', ['C'], ['D', 'E']),
  node('work', ['D'], ['F']),
  node('join', ['F', 'E'], ['G']),
  node('either', ['G'], ['A', 'Z']),
  node('work', ['Dead'], ['B']),
]);

it('finds the shortest way to a node, through forks and joins, with the states that wait there', () => {
  expect(routeTo(flow, 'A')).toEqual([[], ['A']]);
  expect(routeTo(flow, 'B')).toEqual([['A'], ['B']]);
  expect(routeTo(flow, 'D')).toEqual([
    ['A', 'C'],
    ['D', 'E'],
  ]);
  expect(routeTo(flow, 'F+E')).toEqual([
    ['A', 'C', 'D'],
    ['F', 'E'],
  ]);
});

it('finds the way to each branch of a choice', () => {
  expect(routeTo(flow, 'G', 'Z')).toEqual([['A', 'C', 'D', 'F+E'], ['G']]);
  expect(routeTo(flow, 'A', 'C')).toEqual([[], ['A']]);
});

it('has no route to what can never fire, nor to what is beyond the limit', () => {
  expect(routeTo(flow, 'Dead')).toBeNull();
  expect(routeTo(flow, 'G', 'Z', 3)).toBeNull();
});
