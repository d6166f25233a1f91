import type { DocumentNode, FlowDocument } from '#shared/flow/document.ts';
import { canonicalJson, toJson } from '#shared/json.ts';
import { idOf, statesOf } from './keys-written.ts';

/** An import brought up to date. */
export interface UpdatedImport {
  readonly document: FlowDocument;
  /** Ids of nodes that were edited by hand and are kept, although the workflow changed them too. */
  readonly kept: readonly string[];
  /** These nodes as they are here, and as the workflow has them now. */
  readonly conflicts: readonly { readonly node: string; readonly here: DocumentNode; readonly there: DocumentNode | null }[];
}

/**
 * Brings an imported flow up to date with a new compilation of its workflow. A node that is still as it was generated is replaced, added or removed;
 * one that was edited by hand is kept.
 */
export function updateImport(before: FlowDocument, after: FlowDocument, sha256: (text: string) => string): UpdatedImport {
  const recorded = before.pyflow?.nodes ?? {};
  const generated = after.pyflow?.nodes ?? {};
  const edited = new Map<string, DocumentNode>();
  for (const node of before.nodes) {
    const id = idOf(node);
    if (recorded[id] !== sha256(canonicalJson(toJson(node)))) edited.set(id, node);
  }
  const nodes = after.nodes.map((node) => edited.get(idOf(node)) ?? node);
  const ids = new Set(nodes.map(idOf));
  const own = [...edited].filter(([id]) => !ids.has(id)).map(([, node]) => node);
  const all = [...nodes, ...own];
  const states = new Set(all.flatMap((node) => [...statesOf(node, 'from'), ...statesOf(node, 'to')]));
  const schemas = { ...before.schemas, ...after.schemas };
  const used = Object.fromEntries(Object.entries(schemas).filter(([name]) => states.has(name)));
  const kept = [...edited.keys()].filter((id) => recorded[id] !== undefined && recorded[id] !== generated[id]);
  const byId = new Map(after.nodes.map((node) => [idOf(node), node]));
  const conflicts = kept.map((id) => ({ node: id, here: edited.get(id) as DocumentNode, there: byId.get(id) ?? null }));
  return { document: { ...before, ...after, schemas: used, nodes: all }, kept, conflicts };
}
