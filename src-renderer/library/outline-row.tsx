import { IconAlertTriangle, IconCircleX, IconFlag2, IconLogin2 } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { describeNode } from '#renderer/canvas/canvas-nodes.ts';
import { startRename } from '#renderer/canvas/rename-store.ts';
import { useNodeMark } from '#renderer/canvas/use-run-mark.ts';
import { openInInspector } from '#renderer/inspector/open-in-inspector.ts';
import { KindChip } from '#renderer/kinds/kind-chip.tsx';
import { revealNode } from '#renderer/stores/selection.ts';
import { useNodeSeverity } from '#renderer/stores/use-node-severity.ts';
import styles from './outline-panel.module.css';
import type { OutlineRow } from './outline-rows.ts';

interface RowProps<Type extends OutlineRow['type']> {
  readonly row: Extract<OutlineRow, { type: Type }>;
  readonly index: number;
  /** How many rows there are below the same parent. */
  readonly siblings: number;
  /** Takes the focus when it enters the tree. */
  readonly tabStop: boolean;
  readonly style: CSSProperties;
}

/** A node in the outline. */
export function NodeRow({ row, index, siblings, tabStop, style, selected }: RowProps<'node'> & { readonly selected: boolean }) {
  const { node } = row;
  const mark = useNodeMark(node.id);
  const severity = useNodeSeverity(node.id);
  const said = [describeNode(node), mark?.badge ?? mark?.status, severity && `has ${severity}s`].filter(Boolean).join(', ');
  return (
    <div
      role="treeitem"
      aria-level={1}
      aria-posinset={row.position + 1}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={node.outputs.length > 0}
      aria-label={said}
      tabIndex={tabStop ? 0 : -1}
      className={styles.row}
      style={style}
      data-index={index}
      onFocus={() => revealNode(node.key)}
      onClick={(event) => event.currentTarget.focus()}
      onDoubleClick={() => openInInspector(node.key)}
      onKeyDown={undefined}
    >
      <KindChip kind={node.kind} size={18} />
      <span className={styles.name}>{node.title}</span>
      {severity === 'error' && <IconCircleX size={14} className={styles.error} aria-hidden="true" />}
      {severity === 'warning' && <IconAlertTriangle size={14} className={styles.warning} aria-hidden="true" />}
      {mark?.badge && <span className={styles.badge}>{mark.badge}</span>}
      {node.inputs.some((port) => port.entry) && <IconLogin2 size={13} aria-hidden="true" />}
    </div>
  );
}

/** A state in the outline, below the node that produces it. */
export function StateRow({ row, index, siblings, tabStop, style }: RowProps<'state'>) {
  const { port, leadsTo } = row;
  return (
    <div
      role="treeitem"
      aria-level={2}
      aria-posinset={row.position + 1}
      aria-setsize={siblings}
      aria-selected={false}
      aria-label={`produces ${port.state}, ${port.terminal ? 'the result of the flow' : leadsTo ? `consumed by ${leadsTo}` : 'consumed by nothing'}`}
      tabIndex={tabStop ? 0 : -1}
      className={`${styles.row} ${styles.state}`}
      style={style}
      data-index={index}
      onClick={(event) => event.currentTarget.focus()}
      onDoubleClick={() => startRename(port.state)}
      onKeyDown={undefined}
    >
      <span className={styles.name}>{port.state}</span>
      {port.terminal && <IconFlag2 size={13} aria-hidden="true" />}
    </div>
  );
}
