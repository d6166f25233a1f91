import type { Deed } from '#shared/import/foreign-graph.ts';
import type { DifyContext, DifyNode } from './dify-reader.ts';

/** Adds the node with what it does. */
export function put({ id, title, key, note }: DifyNode, does: Deed, { node }: DifyContext): void {
  node({ id, title, key, does, ...(note && { note }) });
}
