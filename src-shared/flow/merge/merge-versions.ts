import type { Layout } from '#shared/contract/flows.ts';
import { extrasOf, type LayoutExtras, layoutWith } from '#shared/flow/layout/layout.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { mergeLines } from './merge-lines.ts';

/** A version of a flow: its text, and the positions of its nodes; null while nodes are laid out automatically. */
export interface FlowVersion {
  readonly text: string;
  readonly layout: Layout | null;
}

/** Whether two versions have the same text and the same positions. */
export function isSameVersion(one: FlowVersion, other: FlowVersion): boolean {
  return one.text === other.text && isSameLayout(one.layout, other.layout);
}

/**
 * Merges two edits of one version. Null when both changed the same lines, or when the merged text is in a worse state than both (it cannot be read, or has a format error). Of a node that
 * both moved, the position of `mine` counts: a place on the canvas is no work that could be lost.
 */
export function mergeVersions(base: FlowVersion, mine: FlowVersion, theirs: FlowVersion, path: string): FlowVersion | null {
  const text = mergeLines(base.text, mine.text, theirs.text);
  if (text === null) return null;
  const isNew = text !== mine.text && text !== theirs.text;
  if (isNew && faultOf(text, path) > Math.max(faultOf(mine.text, path), faultOf(theirs.text, path))) return null;
  return { text, layout: mergeLayouts(base.layout, mine.layout, theirs.layout) };
}

/** 0: a flow; 1: has format errors; 2: cannot be read at all. */
function faultOf(text: string, path: string): number {
  const { root, problems } = parseFlow(text, path);
  if (root === null) return 2;
  return problems.length > 0 ? 1 : 0;
}

function mergeLayouts(base: Layout | null, mine: Layout | null, theirs: Layout | null): Layout | null {
  if (isSameLayout(mine, base)) return theirs;
  if (isSameLayout(theirs, base)) return mine;
  if (!mine || !theirs) return mine ?? theirs;
  const [before, own, other] = [base?.nodes ?? {}, mine.nodes, theirs.nodes];
  const nodes: Record<string, Layout['nodes'][string]> = {};
  for (const id of new Set([...Object.keys(own), ...Object.keys(other)])) {
    const position = isSamePosition(own[id], before[id]) ? other[id] : own[id];
    if (position) nodes[id] = position;
  }
  return layoutWith(nodes, mergeExtras(extrasOf(base), extrasOf(mine), extrasOf(theirs)));
}

/** Notes and groups are merged one by one; of one that both changed, mine counts. */
function mergeExtras(base: LayoutExtras, mine: LayoutExtras, theirs: LayoutExtras): LayoutExtras {
  const direction = mine.direction === base.direction ? theirs.direction : mine.direction;
  return {
    ...(direction && { direction }),
    notes: mergeById(base.notes, mine.notes, theirs.notes),
    groups: mergeById(base.groups, mine.groups, theirs.groups),
  };
}

function mergeById<Item extends { readonly id: string }>(
  base: readonly Item[] = [],
  mine: readonly Item[] = [],
  theirs: readonly Item[] = [],
) {
  const find = (items: readonly Item[], id: string) => items.find((item) => item.id === id);
  const ids = new Set([...theirs, ...mine].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const own = find(mine, id);
    const merged = isSame(own, find(base, id)) ? find(theirs, id) : own;
    return merged ? [merged] : [];
  });
}

/** Whether two plain values are equal. Both were written by the same code, so their keys have the same order. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isSameLayout(one: Layout | null, other: Layout | null): boolean {
  if (one === other) return true;
  if (!one || !other) return false;
  if (!isSame(extrasOf(one), extrasOf(other))) return false;
  const ids = Object.keys(one.nodes);
  return ids.length === Object.keys(other.nodes).length && ids.every((id) => isSamePosition(one.nodes[id], other.nodes[id]));
}

type Position = Layout['nodes'][string] | undefined;

function isSamePosition(one: Position, other: Position): boolean {
  return one?.x === other?.x && one?.y === other?.y;
}
