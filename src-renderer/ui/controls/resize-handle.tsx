import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './resize-handle.module.css';

interface ResizeHandleProps {
  /** What it resizes, for screen readers. */
  readonly label: string;
  /** The edge of the panel with the handle. */
  readonly edge: 'left' | 'right' | 'top';
  readonly size: number;
  readonly smallest: number;
  readonly largest: number;
  onResize(size: number): void;
}

/** The draggable edge of a panel; arrow keys move it by 16 px. */
export function ResizeHandle({ label, edge, size, smallest, largest, onResize }: ResizeHandleProps) {
  const grows = edge === 'right' ? 1 : -1;

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return;
    const handle = event.currentTarget;
    const start = edge === 'top' ? event.clientY : event.clientX;
    handle.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent) => {
      const at = edge === 'top' ? move.clientY : move.clientX;
      onResize(size + grows * (at - start));
    };
    const onEnd = () => {
      handle.removeEventListener('pointermove', onMove);
      handle.removeEventListener('lostpointercapture', onEnd);
    };
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('lostpointercapture', onEnd);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const keys = edge === 'top' ? { more: 'ArrowUp', less: 'ArrowDown' } : { more: 'ArrowRight', less: 'ArrowLeft' };
    const direction = event.key === keys.more ? 1 : event.key === keys.less ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    onResize(size + (edge === 'top' ? direction : grows * direction) * 16);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot take the focus; this is a window splitter, which may
    <div
      className={`${styles.handle} ${styles[edge]}`}
      role="separator"
      aria-label={label}
      aria-orientation={edge === 'top' ? 'horizontal' : 'vertical'}
      aria-valuenow={size}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
