import { IconAlertTriangle, IconCircleX, IconFlag2, IconLogin2 } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { describeNode } from '#renderer/canvas/canvas-nodes.ts';
import { deleteSelection } from '#renderer/canvas/delete-selection.ts';
import { renameSelected, startRename } from '#renderer/canvas/rename-store.ts';
import { useNodeMark } from '#renderer/canvas/use-run-mark.ts';
import type { NodeView } from '#renderer/graph/graph-view.ts';
import { KindChip } from '#renderer/kinds/kind-chip.tsx';
import { panelsStore } from '#renderer/stores/panels.ts';
import { revealNode } from '#renderer/stores/selection.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { useNodeSeverity } from '#renderer/stores/use-node-severity.ts';
import { useSelection } from '#renderer/stores/use-selection.ts';
import styles from './outline-panel.module.css';

/**
 * The flow as a tree: its nodes in the document's order, below each what it produces. It can do what the canvas can:
 * choose, open (Enter), rename (F2), delete, go to what a state leads to (Enter on a state).
 */
export function OutlinePanel() {
  const view = useCurrentFlow((flow) => flow?.view ?? null);
  const selected = useSelection((state) => state.nodes.at(-1) ?? null);
  const tree = useRef<HTMLDivElement>(null);
  if (!view) return <p className={styles.empty}>Open a flow to see its outline.</p>;
  if (view.nodes.length === 0)
    return <p className={styles.empty}>This flow has no nodes yet. Add one from the Library, or press N on the canvas.</p>;

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const index = items.indexOf(event.target as HTMLElement);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
    const item = items[index]?.dataset;
    if (target !== undefined) items[Math.max(0, Math.min(items.length - 1, target))]?.focus();
    else if (event.key === 'Enter' && item?.leadsTo)
      items.find((other) => other.dataset.node === item.leadsTo && !other.dataset.state)?.focus();
    else if (event.key === 'Enter' && item?.node) panelsStore.getState().showRight('node');
    else if (event.key === 'F2' && item?.state) startRename(item.state);
    else if (event.key === 'F2' && item?.node) renameSelected(item.node);
    else if (event.key === 'Delete' && item?.node) deleteSelection();
    else return;
    event.preventDefault();
  }

  return (
    <div ref={tree} className={styles.tree} role="tree" aria-label="Outline of the flow" onKeyDown={onKeyDown}>
      {view.nodes.map((node, index) => (
        <OutlineNode
          key={node.key}
          node={node}
          selected={node.key === selected}
          first={selected === null ? index === 0 : node.key === selected}
          targets={view.wires.filter((wire) => wire.source === node.key).map((wire) => [wire.source_port, wire.target] as const)}
        />
      ))}
    </div>
  );
}

interface OutlineNodeProps {
  readonly node: NodeView;
  readonly selected: boolean;
  /** Takes the focus when it enters the tree. */
  readonly first: boolean;
  readonly targets: readonly (readonly [port: number, target: string])[];
}

function OutlineNode({ node, selected, first, targets }: OutlineNodeProps) {
  const mark = useNodeMark(node.id);
  const severity = useNodeSeverity(node.id);
  const said = [describeNode(node), mark?.badge ?? mark?.status, severity && `has ${severity}s`].filter(Boolean).join(', ');
  return (
    <>
      <div
        role="treeitem"
        aria-level={1}
        aria-selected={selected}
        aria-expanded={node.outputs.length > 0}
        aria-label={said}
        tabIndex={first ? 0 : -1}
        className={styles.row}
        data-node={node.key}
        onFocus={() => revealNode(node.key)}
        onClick={(event) => event.currentTarget.focus()}
        onDoubleClick={() => panelsStore.getState().showRight('node')}
        onKeyDown={undefined}
      >
        <KindChip kind={node.kind} size={18} />
        <span className={styles.name}>{node.title}</span>
        {severity === 'error' && <IconCircleX size={14} className={styles.error} aria-hidden="true" />}
        {severity === 'warning' && <IconAlertTriangle size={14} className={styles.warning} aria-hidden="true" />}
        {mark?.badge && <span className={styles.badge}>{mark.badge}</span>}
        {node.inputs.some((port) => port.entry) && <IconLogin2 size={13} aria-hidden="true" />}
      </div>
      {node.outputs.map((port, index) => {
        const target = targets.find(([from]) => from === index)?.[1];
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position
            key={index}
            role="treeitem"
            aria-level={2}
            aria-selected={false}
            aria-label={`produces ${port.state}, ${port.terminal ? 'the result of the flow' : target ? `consumed by ${target}` : 'consumed by nothing'}`}
            tabIndex={-1}
            className={`${styles.row} ${styles.state}`}
            data-node={node.key}
            data-state={port.state}
            data-leads-to={target}
            onClick={(event) => event.currentTarget.focus()}
            onDoubleClick={() => startRename(port.state)}
            onKeyDown={undefined}
          >
            <span className={styles.name}>{port.state}</span>
            {port.terminal && <IconFlag2 size={13} aria-hidden="true" />}
          </div>
        );
      })}
    </>
  );
}
