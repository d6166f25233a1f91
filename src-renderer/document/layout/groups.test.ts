import { expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { carryGroups } from './carry-positions.ts';
import { foldGroups, groupBox, groupKey, membersOf, withoutGroupCards } from './groups.ts';

const chain = (names: readonly string[]) => {
  const nodes = names.slice(1).map((to, index) => ({ kind: 'work', from: names[index], to }));
  const text = JSON.stringify({ input: names[0], output: names.at(-1), nodes });
  return graphView(readableFlow(parseFlow(text, 'chain.flow.json')) as ReadableFlow);
};
const view = chain(['A', 'B', 'C', 'D', 'E']);
const positions = { A: { x: 0, y: 0 }, B: { x: 300, y: 40 }, C: { x: 600, y: 0 }, D: { x: 900, y: 0 } };
const group = { id: 'g', title: 'Middle', colour: 'blue', nodes: ['B', 'C'], folded: true } as const;

it('folds a group into a card with the states that enter and leave it, and knows its nodes', () => {
  const folded = foldGroups(view, positions, [{ ...group, nodes: [...group.nodes] }], (count) => `${count} nodes`);
  expect(folded.view.nodes.map(({ key }) => key)).toEqual(['A', 'D', groupKey('g')]);
  const card = folded.view.nodes.at(-1);
  expect([card?.inputs.map(({ state }) => state), card?.outputs.map(({ state }) => state)]).toEqual([['B'], ['D']]);
  expect(folded.view.wires.map(({ source, target, state }) => [source, state, target])).toEqual([
    ['A', 'B', 'group:g'],
    ['group:g', 'D', 'D'],
  ]);
  expect(folded.positions['group:g']).toEqual({ x: 300, y: 0 });
  expect(membersOf('group:g')).toEqual(['B', 'C']);
});

it('draws an outer folded group in place of those within it', () => {
  const outer = { ...group, id: 'o', title: 'Outer', nodes: ['A', 'B', 'C'] };
  const folded = foldGroups(view, positions, [{ ...group, nodes: [...group.nodes] }, outer], String);
  expect(folded.view.nodes.map(({ key }) => key)).toEqual(['D', 'group:o']);
});

it('moves the nodes of a folded group as one', () => {
  const moved = withoutGroupCards({ 'group:g': { x: 310, y: 20 }, A: { x: 1, y: 2 } }, positions, [{ ...group, nodes: [...group.nodes] }]);
  expect(moved).toEqual({ A: { x: 1, y: 2 }, B: { x: 310, y: 60 }, C: { x: 610, y: 20 } });
});

it('frames an inner group within the frame of the outer one', () => {
  const inner = { ...group, folded: false, nodes: ['B', 'C'] };
  const outer = { ...inner, id: 'o', nodes: ['A', 'B', 'C'] };
  const [small, large] = [groupBox(inner, view, positions, [inner, outer]), groupBox(outer, view, positions, [inner, outer])];
  expect(large?.y).toBeLessThan(small?.y ?? 0);
  expect((large?.x ?? 0) + (large?.width ?? 0)).toBeGreaterThan((small?.x ?? 0) + (small?.width ?? 0));
});

it('keeps a renamed node in its group, and drops nodes and groups that are gone', () => {
  const extras = { groups: [{ ...group, nodes: ['B', 'C'] }] };
  expect(carryGroups(view, chain(['A', 'Renamed', 'C', 'D', 'E']), extras).groups?.[0]?.nodes).toEqual(['Renamed', 'C']);
  expect(carryGroups(view, chain(['A', 'E']), { groups: [{ ...group, nodes: ['C'] }] }).groups).toBeUndefined();
});

it('draws a folded region where it begins, wherever its other nodes are', () => {
  const region = { ...group, id: 'region:parallel both', nodes: ['C', 'B'] };
  const folded = foldGroups(view, { ...positions, C: { x: 700, y: 80 } }, [region], String);
  expect(folded.positions[groupKey(region.id)]).toEqual({ x: 700, y: 80 });
  expect([...folded.cardOf]).toEqual([
    ['C', groupKey(region.id)],
    ['B', groupKey(region.id)],
  ]);
});
