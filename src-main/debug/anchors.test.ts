import { expect, test } from 'vitest';
import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';
import { type AnchorNode, anchorIn } from './anchors.ts';

const node = (id: string, index: number, more: Partial<AnchorNode> = {}): AnchorNode => ({ id, kind: 'work', to: ['Z'], index, ...more });
const breakpoint: BreakpointOf<'before'> = {
  id: 'b',
  kind: 'before',
  flow: 'a.flow.yaml',
  node: 'Order',
  anchor: { kind: 'work', title: 'Half it', to: ['Half'], index: 1 },
};
const found = (...nodes: AnchorNode[]) => {
  const anchored = anchorIn(breakpoint, { nodes, states: new Set() });
  return anchored.verified ? [anchored.item.node, anchored.from] : null;
};

test.each<[string, AnchorNode[], (string | undefined)[] | null]>([
  ['by its id, wherever it is', [node('A', 1, { title: 'Half it' }), node('Order', 5)], ['Order', undefined]],
  ['by the only title of its kind', [node('A', 1), node('B', 0, { title: 'Half it' })], ['B', 'Order']],
  [
    'by its outputs where two have the title',
    [node('A', 4, { title: 'Half it' }), node('B', 3, { title: 'Half it', to: ['Half'] })],
    ['B', 'Order'],
  ],
  ['by its position and kind', [node('A', 0), node('B', 1)], ['B', 'Order']],
  ['not by the position of another kind', [node('A', 0), node('B', 1, { kind: 'join' })], null],
  ['not at all in an empty flow', [], null],
])('finds a node %s', (_how, nodes, expected) => expect(found(...nodes)).toEqual(expected));

test('keeps a breakpoint whose file is missing, or whose branch is gone, as unverified', () => {
  expect(anchorIn(breakpoint, null)).toEqual({ verified: false });
  const branch: Breakpoint = { id: 'b', kind: 'branch', flow: 'a.flow.yaml', node: 'Order', state: 'Gone' };
  expect(anchorIn(branch, { nodes: [node('Order', 0)], states: new Set() })).toEqual({ verified: false });
  expect(anchorIn({ id: 'b', kind: 'error' }, null)).toMatchObject({ verified: true });
});
