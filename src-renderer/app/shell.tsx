import type { ReactNode } from 'react';
import { panelLimits } from '#renderer/shell/panels.ts';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { ResizeHandle } from '#renderer/ui/controls/resize-handle.tsx';
import styles from './shell.module.css';
import { texts } from './texts.ts';

interface ShellProps {
  /** Shown above everything; for notices about the whole folder. */
  readonly banner?: ReactNode;
  readonly topBar: ReactNode;
  readonly left: ReactNode;
  readonly canvas: ReactNode;
  readonly bottom: ReactNode;
  readonly right: ReactNode;
  readonly statusBar: ReactNode;
}

/** The frame of the main screen: bars above and below, panels around the canvas, with any content. */
export function Shell({ banner, topBar, left, canvas, bottom, right, statusBar }: ShellProps) {
  const panels = usePanels((state) => state);
  return (
    <div className={styles.shell}>
      <div className={styles.banner}>{banner}</div>
      <header className={styles.top}>{topBar}</header>
      {panels.left.open && (
        <aside className={styles.left} style={{ width: panels.left.size }} aria-label={texts.leftPanel}>
          {left}
          <ResizeHandle
            label={texts.leftWidth}
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
          <section className={styles.bottom} style={{ height: panels.bottom.size }} aria-label={texts.bottomPanel}>
            <ResizeHandle
              label={texts.bottomHeight}
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
        <aside className={styles.right} style={{ width: panels.right.size }} aria-label={texts.rightPanel}>
          <ResizeHandle
            label={texts.rightWidth}
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
