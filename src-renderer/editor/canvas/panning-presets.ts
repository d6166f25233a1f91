import { PanOnScrollMode, type ReactFlowProps, SelectionMode } from '@xyflow/react';
import type { Settings } from '#shared/contract/app.ts';

type Panning = Pick<
  ReactFlowProps,
  'panOnScroll' | 'panOnScrollMode' | 'zoomOnScroll' | 'panOnDrag' | 'selectionOnDrag' | 'selectionMode' | 'panActivationKeyCode'
>;

/** `design`: scrolling pans, Ctrl+scrolling zooms, dragging selects, Space drags. `map`: scrolling zooms, dragging pans. */
export const panningPresets: Record<Settings['panning'], Panning> = {
  design: {
    panOnScroll: true,
    panOnScrollMode: PanOnScrollMode.Free,
    zoomOnScroll: false,
    panOnDrag: [1, 2],
    selectionOnDrag: true,
    selectionMode: SelectionMode.Partial,
    panActivationKeyCode: 'Space',
  },
  map: { panOnScroll: false, zoomOnScroll: true, panOnDrag: true, selectionOnDrag: false, panActivationKeyCode: null },
};
