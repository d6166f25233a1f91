import { expect, it } from 'vitest';
import { wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { Coverage, NodeCoverage } from '#shared/contract/coverage.ts';
import { coverageLayer, summaryText } from './coverage-layer.ts';

const node = (id: string, more: Partial<NodeCoverage>): NodeCoverage => ({
  node: id,
  kind: 'work',
  count: 0,
  failures: 0,
  duration_ms: 0,
  tokens: 0,
  models: {},
  ...more,
});
const coverage: Coverage = {
  flow: 'a.flow.yaml',
  runs: 3,
  nodes: [
    node('A', { count: 300, duration_ms: 30 }),
    node('B', { count: 2, failures: 1, duration_ms: 4200 }),
    node('Ask', { count: 5, tokens: 1500, models: { 'x://m': { tokens_in: 1000, tokens_out: 500 } } }),
  ],
  wires: [{ node: 'A', state: 'B', count: 2 }],
  covered: 4,
  total: 6,
  uncovered: [],
};

it('shows how often nodes and wires were taken, with failures', () => {
  const { nodes, wires } = coverageLayer(coverage, 'coverage', {});
  expect(nodes).toMatchObject({ A: { text: '300×', level: 4 }, B: { text: '2× · 1 failure', title: 'finished 2 times, failed 1 time' } });
  expect(wires).toEqual({ [wireKey('A', 'B')]: { text: '2×', level: 1, title: 'B: taken 2 times' } });
  expect(summaryText(coverage, 'coverage', {})).toBe('66 % · 4 of 6 nodes and branches · 3 runs');
});

it('shows time, tokens and cost of nodes, and says when no model has a price', () => {
  expect(coverageLayer(coverage, 'time', {})).toMatchObject({
    wires: null,
    nodes: { A: { text: '30 ms' }, B: { text: '4.2 s', level: 4 } },
  });
  expect(Object.keys(coverageLayer(coverage, 'tokens', {}).nodes)).toEqual(['Ask']);
  const prices = { 'x://m': { input: 2, output: 8 } };
  expect(coverageLayer(coverage, 'cost', prices).nodes).toMatchObject({ Ask: { text: '0.006', level: 4 } });
  expect(summaryText(coverage, 'cost', prices)).toBe('0.006 in all');
  expect(summaryText(coverage, 'cost', {})).toBe('Set prices of models in the settings to see costs.');
  expect(summaryText(coverage, 'time', {})).toBe('4.2 s in all');
});
