import ELK from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphView } from '#renderer/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';
import { foldRows } from './fold-rows.ts';
import { largeLayout } from './large-layout.ts';

/** Of more nodes ELK would take many seconds. */
const largest = 150;

let elk: InstanceType<typeof ELK> | undefined;

/** Lays a graph out from left to right, a long one in rows, by ELK in a worker. The same graph gives the same positions. */
export async function autoLayout(view: GraphView): Promise<Layout['nodes']> {
  if (view.nodes.length === 0) return {};
  if (view.nodes.length > largest) return foldRows(view, largeLayout(view));
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return foldRows(view, layoutFrom(await elk.layout(elkGraph(view))));
}
