import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { onCanvasRequest } from '#renderer/commands/canvas-requests.ts';
import { autoLayout } from '#renderer/layout/auto-layout.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { currentFlow, moveNodes } from '#renderer/stores/editor.ts';
import { selectionStore } from '#renderer/stores/selection.ts';
import { openQuickAdd } from './quick-add-store.ts';

const padding = { padding: 0.12, maxZoom: 1 };

/** Does on the canvas what commands ask of it. */
export function useCanvasRequests(frame: RefObject<HTMLDivElement | null>): void {
  const flow = useReactFlow();
  useEffect(
    () =>
      onCanvasRequest((request) => {
        switch (request) {
          case 'fit':
            return void flow.fitView(padding);
          case 'fit_selection':
            return void flow.fitView({ ...padding, nodes: selectionStore.getState().nodes.map((id) => ({ id })) });
          case 'zoom_100':
            return void flow.zoomTo(1);
          case 'zoom_in':
            return void flow.zoomIn();
          case 'zoom_out':
            return void flow.zoomOut();
          case 'tidy':
            return void tidy().then(() => flow.fitView(padding));
          case 'add': {
            const box = frame.current?.getBoundingClientRect();
            if (!box) return;
            const screen = { x: box.left + box.width / 2 - 140, y: box.top + box.height / 4 };
            openQuickAdd({ screen, at: flow.screenToFlowPosition(screen) });
          }
        }
      }),
    [flow, frame],
  );
}

/** Lays the whole flow out anew, as one step of undo. */
async function tidy(): Promise<void> {
  const flow = currentFlow();
  if (!flow) return;
  try {
    const positions = await autoLayout(flow.view);
    if (currentFlow()?.view === flow.view) moveNodes(positions, 'Tidy the layout');
  } catch (thrown) {
    noticeProblem('The flow could not be laid out', String(thrown));
  }
}
