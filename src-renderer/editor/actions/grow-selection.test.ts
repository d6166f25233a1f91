import { expect, it } from 'vitest';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import { grown } from './grow-selection.ts';

const wire = (source: string, target: string) => ({
  key: `${source}${target}`,
  state: 's',
  source,
  source_port: 0,
  target,
  target_port: 0,
});
const view: GraphView = { nodes: [], wires: [wire('A', 'B'), wire('B', 'C'), wire('B', 'D'), wire('D', 'B'), wire('X', 'C')] };

it('selects all that leads here, or all that follows, through loops and branches', () => {
  expect(grown(view, ['C'], 'before').sort()).toEqual(['A', 'B', 'C', 'D', 'X']);
  expect(grown(view, ['B'], 'after').sort()).toEqual(['B', 'C', 'D']);
  expect(grown(view, ['A'], 'before')).toEqual(['A']);
});
