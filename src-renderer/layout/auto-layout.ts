import ELK from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphView } from '#renderer/graph/graph-view.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { elkGraph, layoutFrom } from './elk-graph.ts';

let elk: InstanceType<typeof ELK> | undefined;

/** Lays a graph out from left to right, in a worker. The same graph gives the same positions. */
export async function autoLayout(view: GraphView): Promise<Layout['nodes']> {
  if (view.nodes.length === 0) return {};
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) });
  return layoutFrom(await elk.layout(elkGraph(view)));
}
