import { type KeyboardEvent, type MouseEvent, memo, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { NodeView } from '#renderer/graph/graph-view.ts';
import { revealNode } from '#renderer/stores/selection.ts';
import styles from './node-card.module.css';
import { editTitle, finishTitle, titleStore } from './title-store.ts';

/** A node's title on its card. A double click or F2 edits it in place. */
export const NodeTitle = memo(function NodeTitle({ view }: { view: NodeView }) {
  const edited = useStore(titleStore, (state) => state.key === view.key);
  if (edited) return <TitleField view={view} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard has F2 on the card
    <span className={styles.title} title={view.title} onDoubleClick={(event) => onDoubleClick(event, view)}>
      {view.title}
    </span>
  );
});

/** Of a node that runs a flow, the title is as large as the card when seen from farther away: a double click opens the flow there. */
function onDoubleClick(event: MouseEvent, view: NodeView): void {
  const whole = event.currentTarget.closest('[data-detail]')?.getAttribute('data-detail') === 'full';
  if (!whole && (view.kind === 'flow' || view.kind === 'each')) return;
  event.stopPropagation();
  editTitle(view.key);
}

function TitleField({ view }: { view: NodeView }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // What asked for the field may have the focus given back to it first.
    const timer = setTimeout(() => {
      field.current?.focus({ preventScroll: true });
      field.current?.select();
    }, 40);
    return () => clearTimeout(timer);
  }, []);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    finishTitle(event.key === 'Enter' ? event.currentTarget.value : null);
    revealNode(view.key, true);
  }

  return (
    <input
      ref={field}
      className={`${styles['title-field']} nodrag nopan`}
      aria-label="Node title"
      defaultValue={view.title}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={(event) => finishTitle(event.currentTarget.value)}
    />
  );
}
