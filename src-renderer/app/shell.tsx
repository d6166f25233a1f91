import type { KeyboardEvent, ReactNode } from 'react';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { isPanelOpen, liesOver, type PanelName, panelLimits } from '#renderer/shell/panels.ts';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { ResizeHandle } from '#renderer/ui/controls/resize-handle.tsx';
import styles from './shell.module.css';
import { texts } from './texts.ts';
import { useRoom } from './use-room.ts';

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
  useRoom();
  return (
    <div className={styles.shell}>
      <div className={styles.banner}>{banner}</div>
      <header className={styles.top}>{topBar}</header>
      <SidePanel name="left" label={texts.leftPanel} edge="right" sizeLabel={texts.leftWidth}>
        {left}
      </SidePanel>
      <main className={styles.centre}>
        <div className={styles.canvas}>{canvas}</div>
        <Bottom>{bottom}</Bottom>
      </main>
      <SidePanel name="right" label={texts.rightPanel} edge="left" sizeLabel={texts.rightWidth}>
        {right}
      </SidePanel>
      <footer className={styles.status}>{statusBar}</footer>
    </div>
  );
}

interface SidePanelProps {
  readonly name: 'left' | 'right';
  readonly label: string;
  /** The edge at which the panel is resized. */
  readonly edge: 'left' | 'right';
  readonly sizeLabel: string;
  readonly children: ReactNode;
}

/** A panel beside the canvas, or over it in a narrow window: then Escape closes it. */
function SidePanel({ name, label, edge, sizeLabel, children }: SidePanelProps) {
  const panels = usePanels((state) => state);
  if (!isPanelOpen(panels, name)) return null;
  const over = liesOver(panels, name);
  const handle = (
    <ResizeHandle
      label={sizeLabel}
      edge={edge}
      size={panels[name].size}
      smallest={panelLimits[name][0]}
      largest={panelLimits[name][1]}
      onResize={(size) => panels.resize(name, size)}
    />
  );
  return (
    <aside
      className={styles[name]}
      style={{ width: panels[name].size }}
      data-over={over || undefined}
      aria-label={label}
      {...(over && { onKeyDown: (event: KeyboardEvent<HTMLElement>) => closeOnEscape(event, name, panels.toggle) })}
    >
      {edge === 'left' && handle}
      {children}
      {edge === 'right' && handle}
    </aside>
  );
}

function closeOnEscape(event: KeyboardEvent<HTMLElement>, name: PanelName, toggle: (name: PanelName) => void): void {
  const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (event.key !== 'Escape' || event.defaultPrevented || !isOwn) return;
  toggle(name);
  askCanvas('focus');
}

function Bottom({ children }: { children: ReactNode }) {
  const panels = usePanels((state) => state);
  if (!isPanelOpen(panels, 'bottom')) return null;
  return (
    <section className={styles.bottom} style={{ height: panels.bottom.size }} aria-label={texts.bottomPanel}>
      <ResizeHandle
        label={texts.bottomHeight}
        edge="top"
        size={panels.bottom.size}
        smallest={panelLimits.bottom[0]}
        largest={panelLimits.bottom[1]}
        onResize={(size) => panels.resize('bottom', size)}
      />
      {children}
    </section>
  );
}
