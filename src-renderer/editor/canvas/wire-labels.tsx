import { useStore } from '@xyflow/react';
import { type ReactNode, useMemo } from 'react';
import { createPortal } from 'react-dom';

/** Renders into React Flow's layer of labels. React Flow's own component queries the page for that layer at every movement, once for each label. */
export function WireLabels({ children }: { children: ReactNode }) {
  const canvas = useStore(({ domNode }) => domNode);
  const layer = useMemo(() => canvas?.querySelector('.react-flow__edgelabel-renderer'), [canvas]);
  return layer ? createPortal(children, layer) : null;
}
