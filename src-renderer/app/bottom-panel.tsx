import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { type NodeTitles, nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import { ComparedPoints } from '#renderer/runs/debugger/compared-points.tsx';
import { comparedStepStore } from '#renderer/runs/debugger/compared-step.ts';
import { Conversation } from '#renderer/runs/debugger/conversation.tsx';
import { ErrorCard } from '#renderer/runs/debugger/error-card.tsx';
import { PastBanner } from '#renderer/runs/debugger/past-banner.tsx';
import { RunOutput } from '#renderer/runs/debugger/run-output.tsx';
import { RunSummaryLine } from '#renderer/runs/debugger/run-summary.tsx';
import { StatePanel } from '#renderer/runs/debugger/state-panel.tsx';
import { StateTable } from '#renderer/runs/debugger/state-table.tsx';
import { Timeline } from '#renderer/runs/debugger/timeline.tsx';
import { TimelineScrubber } from '#renderer/runs/debugger/timeline-scrubber.tsx';
import { useFailureActions } from '#renderer/runs/debugger/use-failure-actions.ts';
import { FindBar } from '#renderer/runs/find/find-bar.tsx';
import { FoldMenu } from '#renderer/runs/iterations/fold-menu.tsx';
import { RoundList } from '#renderer/runs/iterations/round-list.tsx';
import { FilterButton, FilterChip, useTimelineFilter } from '#renderer/runs/iterations/timeline-filter.tsx';
import { useFolds } from '#renderer/runs/iterations/use-folds.ts';
import { RunsPanel } from '#renderer/runs/list/runs-panel.tsx';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { comparisonStore } from '#renderer/runs/time-travel/comparison.ts';
import { ComparisonPanel } from '#renderer/runs/time-travel/comparison-panel.tsx';
import { MatrixPanel } from '#renderer/runs/time-travel/matrix-panel.tsx';
import { matrixStore } from '#renderer/runs/time-travel/matrix-store.ts';
import { ReplayStrip } from '#renderer/runs/time-travel/replay-strip.tsx';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { PanelTabs } from '#renderer/ui/controls/panel-tabs.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import type { StateAt } from '#shared/contract/runs.ts';
import styles from './bottom-panel.module.css';
import { texts } from './texts.ts';

interface BottomPanelProps {
  /** The open flow's problems. */
  readonly problems: ReactNode;
  readonly problemCount: number;
}

interface Shown {
  readonly view: RunView;
  readonly titles: NodeTitles;
  /** State map of the selected step; while it loads, the last one known. */
  readonly at: StateAt;
  readonly seq: number;
  /** Node of that step. */
  readonly by: string | null;
}

function useShown(): Shown | null {
  const view = useRunSession((state) => state.view);
  const selected = useRunSession((state) => state.selected);
  const shown = useRunSession((state) => state.shown);
  if (!view) return null;
  const at = selected === null ? view.current : (shown ?? view.current);
  return { view, titles: nodeTitlesOf(view.flow_text, view.flow_path, view.titles), at, seq: selected ?? view.seq, by: at.node };
}

/** The tabs about the shown run, and the open flow's problems. */
export function BottomPanel({ problems, problemCount }: BottomPanelProps) {
  const tab = usePanels((state) => state.bottom.tab);
  const showBottom = usePanels((state) => state.showBottom);
  const run = useShown();
  const matrix = useStore(matrixStore, (state) => state.group !== null);
  const compared = useStore(comparisonStore, (state) => state.comparison !== null);
  return (
    <PanelTabs
      label={texts.panel.label}
      current={tab}
      onSelect={showBottom}
      trailing={<RunSummaryLine view={run?.view ?? null} />}
      tabs={[
        {
          id: 'timeline',
          label: texts.panel.timeline,
          ...(run && { count: run.view.seq }),
          content: <RunFrame run={run}>{(shown) => <TimelineTab {...shown} />}</RunFrame>,
        },
        {
          id: 'state',
          label: texts.panel.state,
          content: <RunFrame run={run}>{(shown) => <StatePanel {...shown} key={shown.at.seq} />}</RunFrame>,
        },
        {
          id: 'conversation',
          label: texts.panel.conversation,
          content: <RunFrame run={run}>{(shown) => <Conversation {...shown} />}</RunFrame>,
        },
        { id: 'problems', label: texts.panel.problems, count: problemCount, content: problems },
        ...(compared
          ? [
              {
                id: 'compare' as const,
                label: texts.panel.compare,
                content: <RunFrame run={run}>{({ titles }) => <ComparisonPanel titles={titles} />}</RunFrame>,
              },
            ]
          : []),
        ...(matrix ? [{ id: 'matrix' as const, label: texts.panel.matrix, content: <MatrixPanel /> }] : []),
        { id: 'output', label: texts.panel.output, content: <RunFrame run={run}>{(shown) => <RunOutput {...shown} />}</RunFrame> },
        { id: 'runs', label: texts.panel.runs, content: <RunsPanel /> },
      ]}
    />
  );
}

function TimelineTab({ view, titles, at, by }: Shown) {
  const filter = useTimelineFilter(view);
  const folding = useFolds(view);
  const compared = useStore(comparedStepStore, (state) => state.seq);
  return (
    <div className={styles.split}>
      <div className={styles.timeline}>
        <TimelineScrubber
          view={view}
          trailing={
            <>
              <FoldMenu view={view} titles={titles} folding={folding} />
              <FilterButton view={view} titles={titles} />
            </>
          }
        />
        <FindBar />
        {filter && <FilterChip title={titles(filter.node)} />}
        {filter ? (
          <RoundList view={view} filter={filter} title={titles(filter.node)} />
        ) : (
          <Timeline view={view} titles={titles} folds={folding.folds} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a <section> per table would clutter the list of landmarks */}
      <div className={styles.states} role="group" aria-label={texts.panel.stateMap} tabIndex={0}>
        {compared !== null && compared !== at.seq ? (
          <ComparedPoints view={view} titles={titles} at={at} with={compared} />
        ) : (
          <StateTable at={at} titles={titles} by={by} forked={view.forked_from !== null} />
        )}
      </div>
    </div>
  );
}

/** Puts the run's error and the banner of a past step above a view of the run. */
function RunFrame({ run, children }: { run: Shown | null; children(run: Shown): ReactNode }) {
  const selected = useRunSession((state) => state.selected);
  const failure = useRunSession((state) => state.failure);
  const error = failure ?? (run && selected === null && run.view.status === 'error' ? run.view.error : null);
  const actions = useFailureActions(run?.view ?? null);
  return (
    <>
      {error && (
        <ErrorCard
          error={error}
          titles={run?.titles ?? ((id) => id)}
          actions={failure ? [] : actions}
          {...(failure && { onDismiss: () => runSessionStore.getState().dismissFailure() })}
        />
      )}
      {run && <ReplayStrip run_id={run.view.run_id} />}
      {run && <PastBanner view={run.view} titles={run.titles} />}
      {run ? children(run) : <NoRun />}
    </>
  );
}

function NoRun() {
  const open = useEditor((state) => state.current !== null);
  return (
    <EmptyState icon={IconPlayerPlay} title={texts.noRun.title}>
      {open ? (
        <TextWith text={texts.noRun.ready} parts={{ run: <KeyHint keys="F5" />, step: <KeyHint keys="F10" /> }} />
      ) : (
        texts.noRun.noFlow
      )}
    </EmptyState>
  );
}
