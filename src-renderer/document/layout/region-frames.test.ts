import { expect, test } from 'vitest';
import { cardHeight, cardWidth } from '#renderer/document/graph/card-geometry.ts';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { regionsOf } from '#renderer/document/graph/regions.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { regionDepths } from './region-depths.ts';
import { regionFrames } from './region-frames.ts';

/** A loop `refine` around a parallel region `both`. */
const nodes = [
  { kind: 'work', from: 'Start', to: 'count', session: { begin: {} } },
  { kind: 'work', from: 'count', to: 'both', session: { expr: 'n + 1', inputs: ['n'], output: 'n' } },
  { kind: 'fork', from: 'both', to: ['a', 'b'], session: { branches: ['a', 'b'], of: 'both' } },
  { kind: 'work', from: 'a', to: 'a_done', session: { expr: '1', output: 'a' } },
  { kind: 'work', from: 'b', to: 'b_done', session: { expr: '2', output: 'b' } },
  { kind: 'join', from: ['a_done', 'b_done'], to: 'refine_again', session: { merge: 'last' } },
  { kind: 'either', from: 'refine_again', to: ['end', 'count'], session: { leave: 'refine', max: 4, check: 'round' } },
  { kind: 'work', from: 'end', to: 'Result', session: { end: true } },
];

function drawn(list: readonly object[], more: object = {}) {
  const text = JSON.stringify({ pravah: 1, name: 'x', input: 'Start', output: 'Result', schemas: {}, nodes: list, ...more });
  const flow = readableFlow(parseFlow(text, 'x.flow.json')) as ReadableFlow;
  return { flow, view: graphView(flow) };
}

test('a loop and the parallel region in it are found, the outer one first', () => {
  const { flow, view } = drawn(nodes);
  const regions = regionsOf(flow, view).map(({ type, name, nodes: keys }) => [type, name, [...keys].sort()]);
  expect(regions).toEqual([
    ['loop', 'refine', ['a', 'a_done+b_done', 'b', 'both', 'count', 'refine_again']],
    ['parallel', 'both', ['a', 'a_done+b_done', 'b', 'both']],
  ]);
});

test('a flow without sessions has no regions', () => {
  const { flow, view } = drawn(nodes.map(({ session: _without, ...node }) => node));
  expect(regionsOf(flow, view)).toEqual([]);
});

test('a card shows what an agent evaluates and writes, and by which rule a loop goes round', () => {
  const { view } = drawn(nodes);
  const details = Object.fromEntries(view.nodes.map(({ key, detail }) => [key, detail?.text]));
  expect(details).toMatchObject({ count: 'n + 1', refine_again: 'again < 4', both: '2 branches', Start: 'begin', end: 'end' });
  expect(Object.fromEntries(view.nodes.map(({ key, detail }) => [key, detail?.writes]))).toMatchObject({ count: 'n', a: 'a', b: 'b' });
});

test('a region whose frame would enclose another node is drawn as several frames', () => {
  const { flow, view } = drawn(nodes);
  const [, both] = regionsOf(flow, view);
  if (!both) throw new Error('there is no parallel region');
  const row = {
    Start: { x: 0, y: 0 },
    both: { x: 300, y: 0 },
    a: { x: 600, y: 0 },
    b: { x: 600, y: 100 },
    'a_done+b_done': { x: 900, y: 0 },
  };
  expect(regionFrames(both, view, row)).toHaveLength(1);
  const folded = { ...row, 'a_done+b_done': { x: 0, y: 300 }, end: { x: 300, y: 300 } };
  const frames = regionFrames(both, view, folded);
  expect(frames).toHaveLength(2);
  expect(frames.map(({ x, y }) => [x, y])).toEqual([
    [286, -26],
    [-14, 274],
  ]);
});

test('a nested sequence of an imported workflow is a region, without nodes that were removed since', () => {
  const { flow, view } = drawn(nodes, { pyflow: { sequences: { part: ['count', 'gone', 'a_done+b_done'] } } });
  expect(regionsOf(flow, view).map(({ key, nodes: keys }) => [key, keys])).toContainEqual(['sequential part', ['count', 'a_done+b_done']]);
});

test('the frame of a region has room for the title of a region that begins at the same card', () => {
  const { flow, view } = drawn(nodes.slice(2, 6));
  const [both] = regionsOf(flow, view);
  if (!both) throw new Error('there is no parallel region');
  const outer = { ...both, key: 'outer' };
  const depths = regionDepths([outer, both]);
  expect([depths.get('outer'), depths.get(both.key)]).toEqual([1, 0]);
  const places = Object.fromEntries(view.nodes.map(({ key }, index) => [key, { x: index * 300, y: 0 }]));
  const [inside, around] = [both, outer].map((region) => regionFrames(region, view, places, depths.get(region.key))[0]);
  expect((inside?.y ?? 0) - (around?.y ?? 0)).toBe(26);
  expect((inside?.x ?? 0) - (around?.x ?? 0)).toBeGreaterThan(0);
});

test('helper nodes are small, agents have whole cards', () => {
  const { view } = drawn(nodes);
  const sizes = Object.fromEntries(view.nodes.map((node) => [node.key, [cardWidth(node), cardHeight(node)]]));
  expect(sizes).toMatchObject({ count: [204, 90], Start: [128, 28], both: [128, 50], 'a_done+b_done': [128, 50], refine_again: [128, 50] });
});
