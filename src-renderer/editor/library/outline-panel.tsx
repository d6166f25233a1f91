import { IconBoxMultiple, IconNote } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import type { GraphView } from '#renderer/document/graph/graph-view.ts';
import { toggleBranchBreakpoint } from '#renderer/editor/actions/breakpoint-actions.ts';
import { deleteSelection } from '#renderer/editor/actions/delete-selection.ts';
import { revealDrawn } from '#renderer/editor/actions/note-actions.ts';
import { openInInspector } from '#renderer/editor/actions/open-in-inspector.ts';
import { renameStateOf, startRename } from '#renderer/editor/actions/rename-store.ts';
import { editTitle } from '#renderer/editor/actions/title-store.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import styles from './outline-panel.module.css';
import { NodeRow, StateRow } from './outline-row.tsx';
import { outlineRows } from './outline-rows.ts';
import { texts } from './texts.ts';

/** Heights of the rows in pixels; the stylesheet uses the same values. */
const rowHeights = { node: 26, state: 22 } as const;

/**
 * The flow as a tree: its nodes in document order, each with the states that it produces. Same actions as the canvas:
 * select, open (Enter), edit the title (F2), rename the state (Shift+F2, F2 on a state), delete, follow a state to its
 * consumer (Enter on a state).
 */
export function OutlinePanel() {
  const view = useCurrentFlow((flow) => flow?.view ?? null);
  if (!view) return <p className={styles.empty}>{texts.outline.noFlow}</p>;
  if (view.nodes.length === 0) return <p className={styles.empty}>{texts.outline.noNodes}</p>;
  return (
    <>
      <OutlineTree view={view} />
      <Drawings />
    </>
  );
}

/** The groups and notes of the flow; a click goes there. */
function Drawings() {
  const { groups = [], notes = [] } = useCurrentFlow((flow) => flow?.extras) ?? {};
  if (groups.length + notes.length === 0) return null;
  const row = (id: string, name: string, Icon: typeof IconNote) => (
    <li key={id}>
      <button type="button" className={styles.drawing} onClick={() => revealDrawn(id)}>
        <Icon size={14} aria-hidden="true" />
        <VisibleName className={styles.name} text={name} />
      </button>
    </li>
  );
  return (
    <ul className={styles.drawings} aria-label={texts.outline.drawings}>
      {groups.map(({ id, title }) => row(id, title, IconBoxMultiple))}
      {notes.map(({ id, text }) => row(id, (text.split('\n', 1)[0] ?? '').replace(/^#+ /, ''), IconNote))}
    </ul>
  );
}

/** The rows, virtualized so that a large flow opens as fast as a small one. */
function OutlineTree({ view }: { view: GraphView }) {
  const selected = useSelection((state) => state.nodes.at(-1) ?? null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => outlineRows(view), [view]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: (index) => rowHeights[rows[index]?.type ?? 'node'],
    overscan: 20,
    paddingStart: 6,
    paddingEnd: 6,
    initialRect: { width: 240, height: 600 },
  });
  const shown = virtual.getVirtualItems();
  const inSight = shown.find(({ index }) => rows[index]?.type === 'node' && rows[index].node.key === selected);
  const tabStop = (inSight ?? shown.find(({ index }) => rows[index]?.type === 'node'))?.index;

  /** Moves the focus to a row, after mounting it if necessary. */
  function focusRow(index: number): void {
    virtual.scrollToIndex(index, { align: 'auto' });
    const take = () => tree.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
    if (shown.some((item) => item.index === index)) take();
    else requestAnimationFrame(() => requestAnimationFrame(take));
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (!(event.target instanceof HTMLElement)) return;
    const index = Number(event.target.dataset.index);
    const row = rows[index];
    if (!row) return;
    const page = Math.max(1, Math.floor((tree.current?.clientHeight ?? 0) / rowHeights.node) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -index, End: rows.length - 1 - index };
    const move = moves[event.key as keyof typeof moves];
    if (move !== undefined) focusRow(Math.max(0, Math.min(rows.length - 1, index + move)));
    else if (event.key === 'Enter' && row.type === 'node') openInInspector(row.node.key);
    else if (event.key === 'Enter' && row.type === 'state' && row.leadsTo !== undefined) {
      const { leadsTo } = row;
      focusRow(rows.findIndex((other) => other.type === 'node' && other.node.key === leadsTo));
    } else if (event.key === 'F2' && row.type === 'state') startRename(row.port.state);
    else if (event.key === 'F9' && row.type === 'state' && !event.shiftKey && !event.ctrlKey)
      toggleBranchBreakpoint(row.node, row.port.state);
    else if (event.key === 'F2' && event.shiftKey) renameStateOf(row.node.key);
    else if (event.key === 'F2') editTitle(row.node.key);
    else if (event.key === 'Delete') deleteSelection();
    else return;
    event.preventDefault();
  }

  return (
    <div ref={tree} className={styles.tree} role="tree" aria-label={texts.outline.label} onKeyDown={onKeyDown}>
      <div className={styles.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          const place = { index, tabStop: index === tabStop, style: { transform: `translateY(${start}px)` } };
          return row.type === 'node' ? (
            <NodeRow key={key} row={row} siblings={view.nodes.length} selected={row.node.key === selected} {...place} />
          ) : (
            <StateRow key={key} row={row} siblings={row.node.outputs.length} {...place} />
          );
        })}
      </div>
    </div>
  );
}
