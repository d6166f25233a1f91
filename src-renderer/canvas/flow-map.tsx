import { MiniMap } from '@xyflow/react';
import { useCallback } from 'react';
import type { NodeMark } from '#renderer/stores/run-marks.ts';
import { useRunMarks } from '#renderer/stores/run-view.ts';
import type { CanvasNode } from './canvas-nodes.ts';

const colors: Record<NodeMark['status'], string> = {
  ran: 'var(--accent-line)',
  running: 'var(--accent)',
  next: 'var(--accent)',
  waiting: 'var(--waiting)',
  failed: 'var(--error)',
};

/** The small map of the whole flow; a node's colour says how it fares in the run shown. */
export function FlowMap() {
  const marks = useRunMarks((run) => run.nodes);
  const colorOf = useCallback(
    (node: CanvasNode) => {
      const mark = marks[node.data.view.id];
      return mark ? colors[mark.status] : 'var(--line-strong)';
    },
    [marks],
  );
  return (
    <MiniMap<CanvasNode>
      pannable
      zoomable
      position="bottom-right"
      style={{ width: 150, height: 84 }}
      nodeColor={colorOf}
      nodeBorderRadius={6}
      maskStrokeColor="var(--accent)"
      maskStrokeWidth={2}
      ariaLabel="Map of the flow"
    />
  );
}
