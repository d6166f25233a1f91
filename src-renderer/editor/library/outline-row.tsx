import { IconFlag2, IconLogin2 } from '@tabler/icons-react';
import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { openInInspector } from '#renderer/editor/actions/open-in-inspector.ts';
import { startRename } from '#renderer/editor/actions/rename-store.ts';
import { openNodeMenu } from '#renderer/editor/canvas/canvas-menu.ts';
import { describeNode } from '#renderer/editor/canvas/canvas-nodes.ts';
import { useNodeMark } from '#renderer/editor/marks/use-run-mark.ts';
import { toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { useNodeTone } from '#renderer/editor/problems/use-node-tone.ts';
import { BreakpointDot } from '#renderer/runs/breakpoints/breakpoint-dot.tsx';
import { useBranchBreakpoint, useNodeBreakpoint, useStateBreakpoint } from '#renderer/runs/breakpoints/use-breakpoints.ts';
import { menuPoint } from '#renderer/shell/menu-store.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import styles from './outline-panel.module.css';
import type { OutlineRow } from './outline-rows.ts';
import { texts } from './texts.ts';

interface RowProps<Type extends OutlineRow['type']> {
  readonly row: Extract<OutlineRow, { type: Type }>;
  readonly index: number;
  /** Number of rows below the same parent. */
  readonly siblings: number;
  /** Gets the focus when the focus enters the tree. */
  readonly tabStop: boolean;
  readonly style: CSSProperties;
}

interface TreeRowProps extends RowProps<OutlineRow['type']> {
  readonly level: 1 | 2;
  readonly label: string;
  readonly selected?: boolean;
  readonly expanded?: boolean;
  readonly className?: string | undefined;
  readonly onFocus?: () => void;
  readonly onOpen: () => void;
  readonly onMenu?: (event: MouseEvent) => void;
  readonly children: ReactNode;
}

function TreeRow({
  row,
  index,
  siblings,
  tabStop,
  style,
  level,
  label,
  selected = false,
  expanded,
  className,
  onFocus,
  onOpen,
  onMenu,
  children,
}: TreeRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={row.position + 1}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={expanded}
      aria-label={label}
      tabIndex={tabStop ? 0 : -1}
      className={[styles.row, className].filter(Boolean).join(' ')}
      style={style}
      data-index={index}
      onFocus={onFocus}
      onClick={(event) => event.currentTarget.focus()}
      onDoubleClick={onOpen}
      onContextMenu={onMenu}
    >
      {children}
    </div>
  );
}

/** A node in the outline. */
export function NodeRow({ selected, ...props }: RowProps<'node'> & { readonly selected: boolean }) {
  const { node } = props.row;
  const mark = useNodeMark(node.id);
  const tone = useNodeTone(node.id);
  const before = useNodeBreakpoint('before', node.id);
  const after = useNodeBreakpoint('after', node.id);
  const breakpoint = before ?? after;
  const ToneIcon = tone && toneLooks[tone].icon;
  const label = [describeNode(node), mark?.badge ?? mark?.status, tone && toneLooks[tone].node.toLowerCase(), before?.label, after?.label]
    .filter(Boolean)
    .join(', ');
  return (
    <TreeRow
      {...props}
      level={1}
      label={label}
      selected={selected}
      expanded={node.outputs.length > 0}
      onFocus={() => revealNode(node.key)}
      onOpen={() => openInInspector(node.key)}
      onMenu={(event) => {
        event.preventDefault();
        openNodeMenu(node.key, menuPoint(event, event.currentTarget));
      }}
    >
      {breakpoint && (
        <span className={styles.breakpoint} title={breakpoint.label}>
          <BreakpointDot look={breakpoint} />
        </span>
      )}
      <KindChip kind={node.kind} size={18} />
      <VisibleName className={styles.name} text={node.title} />
      {ToneIcon && <ToneIcon size={14} className={styles[tone] ?? ''} aria-hidden="true" />}
      {mark?.badge && <span className={styles.badge}>{mark.badge}</span>}
      {node.inputs.some((port) => port.entry) && <IconLogin2 size={13} aria-hidden="true" />}
    </TreeRow>
  );
}

/** A state in the outline, below the node that produces it. */
export function StateRow(props: RowProps<'state'>) {
  const { node, port, leadsTo } = props.row;
  const branch = useBranchBreakpoint(node.id, port.state);
  const atState = useStateBreakpoint(port.state);
  const breakpoint = branch ?? atState;
  const leads = port.terminal ? texts.outline.flowOutput : leadsTo ? texts.outline.consumedBy(leadsTo) : texts.outline.notConsumed;
  return (
    <TreeRow
      {...props}
      level={2}
      label={[texts.outline.produces(port.state, leads), branch?.label, atState?.label].filter(Boolean).join(', ')}
      className={styles.state}
      onOpen={() => startRename(port.state)}
    >
      {breakpoint && (
        <span className={styles.breakpoint} title={breakpoint.label}>
          <BreakpointDot look={breakpoint} />
        </span>
      )}
      <span className={styles.name}>{port.state}</span>
      {port.terminal && <IconFlag2 size={13} aria-hidden="true" />}
    </TreeRow>
  );
}
