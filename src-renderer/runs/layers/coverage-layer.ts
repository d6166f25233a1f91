import { type CanvasLayer, type LayerMark, levelOf, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import type { Coverage, NodeCoverage } from '#shared/contract/coverage.ts';
import { costOf } from '#shared/run/model-cost.ts';
import type { ModelPrice } from '#shared/run/model-price.ts';
import { texts } from './texts.ts';

/** What a layer of runs shows. */
export type HeatKind = 'coverage' | 'time' | 'tokens' | 'cost';
export const heatKinds: readonly HeatKind[] = ['coverage', 'time', 'tokens', 'cost'];
export type Prices = Readonly<Record<string, ModelPrice>>;

const number = new Intl.NumberFormat('en');
const money = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Wires are not drawn wide for fewer firings than this. */
const fewTimes = 50;

/** What the tokens of a node have cost; null if no model that it called has a price. */
function costOfNode({ models }: NodeCoverage, prices: Prices): number | null {
  let cost: number | null = null;
  for (const [model, { tokens_in, tokens_out }] of Object.entries(models)) {
    const price = prices[model];
    if (price) cost = (cost ?? 0) + costOf({ tokens_in, tokens_out }, price);
  }
  return cost;
}

function amountOf(node: NodeCoverage, kind: Exclude<HeatKind, 'coverage'>, prices: Prices): number {
  return kind === 'time' ? node.duration_ms : kind === 'tokens' ? node.tokens : (costOfNode(node, prices) ?? 0);
}

function amountText(amount: number, kind: Exclude<HeatKind, 'coverage'>): string {
  return kind === 'time' ? durationText(amount) : (kind === 'tokens' ? number : money).format(amount);
}

/** Returns the layer of a flow's counts. */
export function coverageLayer({ nodes, wires }: Coverage, kind: HeatKind, prices: Prices): CanvasLayer {
  if (kind !== 'coverage') return heatLayer(nodes, kind, prices);
  const most = Math.max(fewTimes, ...nodes.map(({ count }) => count), ...wires.map(({ count }) => count));
  return {
    kind,
    nodes: Object.fromEntries(
      nodes.filter(({ count, failures }) => count + failures > 0).map((node) => [node.node, countMark(node, most)]),
    ),
    wires: Object.fromEntries(
      wires.map(({ node, state, count }): [string, LayerMark] => [
        wireKey(node, state),
        { text: texts.count(count), level: levelOf(count, most), title: `${state}: ${texts.wire(count)}` },
      ]),
    ),
  };
}

function countMark({ count, failures }: NodeCoverage, most: number): LayerMark {
  const text = `${texts.count(count)}${failures > 0 ? texts.failures(failures) : ''}`;
  // A node that only failed was reached: it is not dashed.
  return { text, level: levelOf(Math.max(count, 1), most), title: texts.node(count, failures) };
}

function heatLayer(nodes: readonly NodeCoverage[], kind: Exclude<HeatKind, 'coverage'>, prices: Prices): CanvasLayer {
  const amounts = nodes.map((node) => [node.node, amountOf(node, kind, prices)] as const).filter(([, amount]) => amount > 0);
  const most = Math.max(0, ...amounts.map(([, amount]) => amount));
  const mark = (amount: number): LayerMark => {
    const text = amountText(amount, kind);
    return { text, level: levelOf(amount, most), title: kind === 'tokens' ? texts.tokens(text) : text };
  };
  return { kind, nodes: Object.fromEntries(amounts.map(([node, amount]) => [node, mark(amount)])), wires: null };
}

/** One line about the whole flow. */
export function summaryText(coverage: Coverage, kind: HeatKind, prices: Prices): string {
  const { covered, total, runs, nodes } = coverage;
  if (runs === 0) return texts.noRuns;
  if (kind === 'coverage') return texts.summary(total === 0 ? 100 : Math.floor((covered / total) * 100), covered, total, runs);
  if (kind === 'cost' && nodes.every((node) => costOfNode(node, prices) === null)) return texts.noPrice;
  return texts.sum[kind](
    amountText(
      nodes.reduce((sum, node) => sum + amountOf(node, kind, prices), 0),
      kind,
    ),
  );
}
