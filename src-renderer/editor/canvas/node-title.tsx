import { type KeyboardEvent, type MouseEvent, memo, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { revealNode } from '#renderer/document/flows/selection.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { groupOfKey } from '#renderer/document/layout/groups.ts';
import { editTitle, finishTitle, titleStore } from '#renderer/editor/actions/title-store.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import styles from './node-card.module.css';
import { isLong } from './text-length.ts';
import { texts } from './texts.ts';

/** A title with at most this many characters fits any card, also beside a badge. */
const shortTitle = 10;

/** How long, in milliseconds, a newly opened and unchanged field takes the focus back if it loses it. */
const settling = 150;

interface NodeTitleProps {
  readonly view: NodeView;
  readonly className?: string | undefined;
  /** Whether it has several lines, which may break within identifiers. */
  readonly breaks?: boolean;
}

/** A node's title on its card. A double click or F2 edits it in place. */
export const NodeTitle = memo(function NodeTitle({ view, className = styles.title, breaks = false }: NodeTitleProps) {
  const edited = useStore(titleStore, (state) => state.key === view.key);
  if (edited) return <TitleField view={view} />;
  return (
    // The keyboard has F2 on the card.
    <VisibleName
      className={`${className} ${isLong(view.title, shortTitle) ? '' : styles.short}`}
      text={view.title}
      breaks={breaks}
      onDoubleClick={(event) => onDoubleClick(event, view)}
    />
  );
});

/** At a low zoom, the title of a node that runs a flow covers the card: there, a double click opens the flow. On a block it zooms in. */
function onDoubleClick(event: MouseEvent, view: NodeView): void {
  // A double click on a folded group unfolds it, wherever on its card.
  if (groupOfKey(view.key) !== null) return;
  const detail = event.currentTarget.closest('[data-detail]')?.getAttribute('data-detail');
  if (detail !== 'full' && (detail !== 'titles' || view.kind === 'flow' || view.kind === 'each')) return;
  event.stopPropagation();
  editTitle(view.key);
}

function TitleField({ view }: { view: NodeView }) {
  const field = useRef<HTMLInputElement>(null);
  const opened = useRef(0);
  useLayoutEffect(() => {
    opened.current = performance.now();
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);

  function onBlur() {
    // A menu that opened the field restores the focus when it closes.
    const title = field.current?.value ?? view.title;
    if (title !== view.title || performance.now() - opened.current > settling) finishTitle(title);
    else requestAnimationFrame(() => field.current?.focus({ preventScroll: true }));
  }

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
      aria-label={texts.node.title}
      defaultValue={view.title}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={onBlur}
    />
  );
}
