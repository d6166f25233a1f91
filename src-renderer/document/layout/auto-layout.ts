import ELK from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';
import { foldRows } from './fold-rows.ts';
import { largeLayout } from './large-layout.ts';

/** Above this number of nodes, ELK takes many seconds. */
const largest = 150;

let elk: InstanceType<typeof ELK> | undefined;

/** Lays out a graph from left to right, a long one in rows, with ELK in a worker. Deterministic. */
export async function autoLayout(view: GraphView): Promise<Layout['nodes']> {
  if (view.nodes.length === 0) return {};
  if (view.nodes.length > largest) return foldRows(view, largeLayout(view));
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return foldRows(view, layoutFrom(await elk.layout(elkGraph(view))));
}
