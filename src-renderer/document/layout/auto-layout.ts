import ELK from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout, LayoutDirection } from '#shared/flow/layout/layout.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';
import { foldRows, stackColumns } from './fold-rows.ts';
import { largeLayout } from './large-layout.ts';

/** Above this number of nodes, ELK takes many seconds. */
const largest = 150;

let elk: InstanceType<typeof ELK> | undefined;

/**
 * Lays out a graph with ELK in a worker. Deterministic. Without a direction, from left to right, and in rows if it would
 * not be readable otherwise.
 */
export async function autoLayout(view: GraphView, direction?: LayoutDirection): Promise<Layout['nodes']> {
  if (view.nodes.length === 0) return {};
  const right = await rightLayout(view);
  if (direction === 'right') return right;
  return direction === 'down' ? stackColumns(view, right) : foldRows(view, right, direction === 'folded');
}

async function rightLayout(view: GraphView): Promise<Layout['nodes']> {
  if (view.nodes.length > largest) return largeLayout(view);
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return layoutFrom(await elk.layout(elkGraph(view)));
}
