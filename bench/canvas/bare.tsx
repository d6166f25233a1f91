// The page that the studio's canvas is compared with: React Flow as it comes, with the same nodes at the same places.
import '@xyflow/react/dist/style.css';
import { type Edge, type Node, ReactFlow, useEdgesState, useNodesState } from '@xyflow/react';
import { createRoot } from 'react-dom/client';
import { gridPlace } from './graph.ts';

interface Mounting {
  readonly count: number;
  readonly isFitted: boolean;
}

declare global {
  interface Window {
    /** Mounts a chain and answers after how many milliseconds its first card was drawn. */
    mount(mounting: Mounting): Promise<number>;
  }
}

function Canvas({ count, isFitted }: Mounting) {
  const [nodes, , onNodesChange] = useNodesState(
    Array.from(
      { length: count },
      (_, index): Node => ({ id: `S${index}`, position: gridPlace(index, count), data: { label: `S${index}` } }),
    ),
  );
  const [edges, , onEdgesChange] = useEdgesState(
    Array.from({ length: count - 1 }, (_, index): Edge => ({ id: `e${index}`, source: `S${index}`, target: `S${index + 1}` })),
  );
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onlyRenderVisibleElements
      minZoom={0.01}
      fitView={isFitted}
      defaultViewport={{ x: 40, y: 40, zoom: 1 }}
    />
  );
}

window.mount = (mounting) =>
  new Promise((resolve) => {
    const start = performance.now();
    const root = document.getElementById('root');
    if (!root) throw new Error('The page has no element to mount the canvas in.');
    createRoot(root).render(<Canvas {...mounting} />);
    const look = () => {
      const card = document.querySelector<HTMLElement>('.react-flow__node');
      if (card?.style.visibility !== 'visible') requestAnimationFrame(look);
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
    };
    requestAnimationFrame(look);
  });
