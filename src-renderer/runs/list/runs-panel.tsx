import { SegmentedControl } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconHistory } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { continuationOf } from '#renderer/runs/model/continuation.ts';
import { openRun } from '#renderer/runs/model/open-run.ts';
import { hasEnded } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { runListStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { texts as suppliedTexts } from '#renderer/runs/supplied/texts.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import table from '#renderer/ui/controls/data-table.module.css';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { agoText, durationText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { RunSummary } from '#shared/contract/runs.ts';
import { isTriedPath } from '#shared/flow/tried-path.ts';
import { RunStatusMark } from './run-status.tsx';
import { type RunTreeRow, runTree } from './run-tree.ts';
import styles from './runs-panel.module.css';
import { texts } from './texts.ts';

/** Whose runs are listed: of the flow on the canvas, of all flows, or of single nodes and tools that were tried. */
type Scope = 'flow' | 'all' | 'tries';

const number = new Intl.NumberFormat('en');

/** The runs of this flow, or of the folder, as a table with forks below their runs. Arrow keys move, Enter opens a run, Left and Right fold its forks. */
export function RunsPanel() {
  const [scope, setScope] = useState<Scope>('flow');
  const path = useStore(runSubjectStore, ({ flow }) => flow?.within?.[0]?.flow.path ?? flow?.path ?? null);
  const all = useRunList((state) => state.runs);
  const failure = useRunList((state) => state.failure);
  if (failure) return <FailureText failure={failure} />;
  const runs = all.filter(({ flow_path }) => (scope === 'flow' ? flow_path === path : isTriedPath(flow_path) === (scope === 'tries')));
  return (
    <>
      <div className={styles.bar}>
        <SegmentedControl
          size="xs"
          aria-label={texts.panel.scope}
          data={[
            { value: 'flow', label: texts.panel.thisFlow },
            { value: 'all', label: texts.panel.allFlows },
            { value: 'tries', label: texts.panel.tries },
          ]}
          value={scope}
          onChange={(value) => setScope(value as Scope)}
        />
      </div>
      {runs.length === 0 ? (
        <EmptyState icon={IconHistory} title={texts.list.emptyTitle}>
          {scope === 'flow' ? texts.panel.emptyFlow : scope === 'tries' ? texts.panel.emptyTries : texts.list.empty}
        </EmptyState>
      ) : (
        <RunTable runs={runs} named={scope !== 'flow'} />
      )}
    </>
  );
}

function RunTable({ runs, named }: { runs: readonly RunSummary[]; named: boolean }) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useRunSession((state) => state.view?.run_id ?? null);
  const now = useNow(10_000);
  const rows = runTree(runs, folded);
  const active = rows.find(({ run }) => run.run_id === focused) ?? rows.find(({ run }) => run.run_id === shown) ?? rows[0];

  function fold(run_id: string, open: boolean) {
    const next = new Set(folded);
    if (open) next.delete(run_id);
    else next.add(run_id);
    setFolded(next);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!active || event.altKey || event.ctrlKey) return;
    const { run, forks, open } = active;
    const at = rows.indexOf(active);
    if (event.key === 'Enter') void openRun(run);
    else if (event.key === 'ArrowLeft' && forks > 0 && open) fold(run.run_id, false);
    else if (event.key === 'ArrowRight' && forks > 0 && !open) fold(run.run_id, true);
    else if (event.key === 'Delete' && hasEnded(run.status)) void runListStore.getState().remove(run.run_id);
    else {
      const parent = rows.slice(0, at).findLastIndex(({ level }) => level < active.level);
      const left = parent < 0 ? at : parent;
      const target = { ArrowUp: at - 1, ArrowDown: at + 1, ArrowLeft: left, Home: 0, End: rows.length - 1 }[event.key];
      const next = target === undefined ? undefined : rows[target];
      if (!next) return;
      setFocused(next.run.run_id);
      body.current?.querySelectorAll('tr')[rows.indexOf(next)]?.focus();
    }
    event.preventDefault();
  }

  return (
    <div className={table.scroller}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of which each row opens a run */}
      <table className={table.table} role="treegrid" aria-label={texts.list.label}>
        <thead>
          <tr>
            <th scope="col">{texts.panel.run}</th>
            <th scope="col">{texts.panel.status}</th>
            <th scope="col">{texts.panel.started}</th>
            <th scope="col" className={table.figure}>
              {texts.panel.took}
            </th>
            <th scope="col" className={table.figure}>
              {texts.panel.tokens}
            </th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => (
            <Row
              key={row.run.run_id}
              row={row}
              named={named}
              now={now}
              isShown={row.run.run_id === shown}
              isActive={row === active}
              onFocus={() => setFocused(row.run.run_id)}
              onFold={(open) => fold(row.run.run_id, open)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function originText({ run_id, seq, continues, variant }: NonNullable<RunSummary['forked_from']>): string {
  const from = shortRunName(run_id);
  if (variant !== undefined) return texts.panel.variant(variant, from, seq);
  return continues ? texts.panel.continues(from, seq) : texts.panel.fork(from, seq);
}

interface RowProps {
  readonly row: RunTreeRow;
  /** Whether rows name their flow. */
  readonly named: boolean;
  readonly now: number;
  readonly isShown: boolean;
  /** Whether Tab goes to this row. */
  readonly isActive: boolean;
  onFocus(): void;
  onFold(open: boolean): void;
}

function Row({ row: { run, level, forks, open, position, siblings }, named, now, isShown, isActive, onFocus, onFold }: RowProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const next = useRunList((state) => continuationOf(state.runs, run.run_id));
  return (
    <tr
      className={`${table.row} ${styles.row}`}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={forks > 0 ? open : undefined}
      aria-selected={isShown}
      onFocus={onFocus}
      onClick={() => void openRun(run)}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu({
          place: 'run',
          label: texts.panel.menu(shortRunName(run.run_id)),
          ...menuPoint(event, event.currentTarget),
          subject: { run },
        });
      }}
    >
      <td>
        <span className={styles.name} style={{ '--level': level - 1 } as CSSProperties}>
          {forks > 0 ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: the row has keys for it
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above
            <span
              className={styles.fold}
              title={open ? texts.panel.foldForks : texts.panel.showForks}
              onClick={(event) => {
                event.stopPropagation();
                onFold(!open);
              }}
            >
              <Chevron size={14} aria-hidden="true" />
            </span>
          ) : (
            <span className={styles.fold} />
          )}
          <code>{shortRunName(run.run_id)}</code>
          {named && <span className={styles.flow}>{run.flow_name}</span>}
          {run.forked_from && <span className={styles.origin}>{originText(run.forked_from)}</span>}
          {next && <span className={styles.origin}>{texts.panel.continuedAs(shortRunName(next.run_id))}</span>}
          {run.supplied !== undefined && <span className={styles.origin}>{suppliedTexts.runCount(run.supplied)}</span>}
        </span>
      </td>
      <td>
        <RunStatusMark status={run.status} />
      </td>
      <td title={new Date(run.created_at).toLocaleString()}>{agoText(run.created_at, now)}</td>
      <td className={table.figure} title={texts.panel.tookHint}>
        {hasEnded(run.status) ? durationText(run.updated_at - run.created_at) : '–'}
      </td>
      <td className={table.figure}>{run.tokens > 0 ? number.format(run.tokens) : '–'}</td>
    </tr>
  );
}
