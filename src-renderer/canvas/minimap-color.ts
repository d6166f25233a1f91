import type { NodeMark } from '#renderer/stores/run-marks.ts';
import { runMarksStore } from '#renderer/stores/run-view.ts';
import type { CanvasNode } from './canvas-nodes.ts';

const colors: Record<NodeMark['status'], string> = {
  ran: 'var(--accent-line)',
  running: 'var(--accent)',
  next: 'var(--accent)',
  waiting: 'var(--waiting)',
  failed: 'var(--error)',
};

/** A node's colour on the map: how it fares in the run shown. */
export function minimapColor(node: CanvasNode): string {
  const mark = runMarksStore.getState().nodes[node.data.view.id];
  return mark ? colors[mark.status] : 'var(--line-strong)';
}
