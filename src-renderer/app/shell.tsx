import type { ReactNode } from 'react';
import { ResizeHandle } from '#renderer/controls/resize-handle.tsx';
import { panelLimits } from '#renderer/stores/panels.ts';
import { usePanels } from '#renderer/stores/use-panels.ts';
import styles from './shell.module.css';

interface ShellProps {
  /** Stands above everything; for what concerns the whole folder. */
  readonly banner?: ReactNode;
  readonly topBar: ReactNode;
  readonly left: ReactNode;
  readonly canvas: ReactNode;
  readonly bottom: ReactNode;
  readonly right: ReactNode;
  readonly statusBar: ReactNode;
}

/** The frame of the main screen: bars above and below, panels round the canvas. It knows nothing of what fills them. */
export function Shell({ banner, topBar, left, canvas, bottom, right, statusBar }: ShellProps) {
  const panels = usePanels((state) => state);
  return (
    <div className={styles.shell}>
      <div className={styles.banner}>{banner}</div>
      <header className={styles.top}>{topBar}</header>
      {panels.left.open && (
        <aside className={styles.left} style={{ width: panels.left.size }} aria-label="Library and flows">
          {left}
          <ResizeHandle
            label="Width of the left panel"
            edge="right"
            size={panels.left.size}
            smallest={panelLimits.left[0]}
            largest={panelLimits.left[1]}
            onResize={(size) => panels.resize('left', size)}
          />
        </aside>
      )}
      <main className={styles.centre}>
        <div className={styles.canvas}>{canvas}</div>
        {panels.bottom.open && (
          <section className={styles.bottom} style={{ height: panels.bottom.size }} aria-label="Timeline and problems">
            <ResizeHandle
              label="Height of the bottom panel"
              edge="top"
              size={panels.bottom.size}
              smallest={panelLimits.bottom[0]}
              largest={panelLimits.bottom[1]}
              onResize={(size) => panels.resize('bottom', size)}
            />
            {bottom}
          </section>
        )}
      </main>
      {panels.right.open && (
        <aside className={styles.right} style={{ width: panels.right.size }} aria-label="Inspector">
          <ResizeHandle
            label="Width of the right panel"
            edge="left"
            size={panels.right.size}
            smallest={panelLimits.right[0]}
            largest={panelLimits.right[1]}
            onResize={(size) => panels.resize('right', size)}
          />
          {right}
        </aside>
      )}
      <footer className={styles.status}>{statusBar}</footer>
    </div>
  );
}
