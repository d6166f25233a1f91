import { currentFlow } from '#renderer/document/flows/editor.ts';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';

/** The keys of `selected` and of all nodes that lead there (`before`) or follow (`after`) along the wires. */
export function grown({ wires }: GraphView, selected: readonly string[], towards: 'before' | 'after'): string[] {
  const next = new Map<string, string[]>();
  for (const { source, target } of wires) {
    const [from, to] = towards === 'after' ? [source, target] : [target, source];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found = new Set(selected);
  const waiting = [...selected];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const other of next.get(key) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      waiting.push(other);
    }
  }
  return [...found];
}

/** Grows the selection along the graph. */
export function growSelection(towards: 'before' | 'after'): void {
  const flow = currentFlow();
  const { nodes } = selectionStore.getState();
  if (flow && nodes.length > 0) select(grown(flow.view, nodes, towards));
}
