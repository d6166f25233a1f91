import { IconInbox } from '@tabler/icons-react';
import { nodeTitlesOf } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { waitingOf } from '#renderer/runs/model/run-list.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import type { CardProps } from './card-props.ts';
import { waitingTitle } from './questions.ts';
import { SuspensionCard } from './suspension-card.tsx';
import { texts } from './texts.ts';
import { WaitingList } from './waiting-list.tsx';
import styles from './waiting-panel.module.css';

/** The card for the question of a run; null when it does not wait. */
export function cardOf(view: RunView): CardProps | null {
  const suspension = view.status === 'suspended' && !view.read_only ? view.suspensions[0] : undefined;
  if (!suspension) return null;
  const { node, since } = suspension;
  // Events carry no title; the summary that follows them does.
  const nodeTitle = suspension.title ?? nodeTitlesOf(view.flow_text, view.flow_path, view.titles)(node);
  const frame = { title: waitingTitle(suspension, nodeTitle), node, nodeTitle, turn: view.agents[node]?.turn ?? null, since };
  return { run_id: view.run_id, suspension, frame };
}

/** The question of the shown run as a card; below it, the questions of other runs. */
export function WaitingPanel() {
  const view = useRunSession((state) => state.view);
  const runs = useRunList((state) => state.runs);
  const card = view && cardOf(view);
  const later = card ? (view?.suspensions.length ?? 1) - 1 : 0;
  const elsewhere = waitingOf(runs).filter(({ run }) => run.run_id !== view?.run_id);
  if (!card && elsewhere.length === 0)
    return (
      <EmptyState icon={IconInbox} title={texts.inbox.emptyTitle}>
        {texts.inbox.empty}
      </EmptyState>
    );
  return (
    <div className={styles.panel}>
      {card && <SuspensionCard key={card.suspension.tool_call_id} {...card} />}
      {later > 0 && <p className={styles.note}>{texts.inbox.more(later)}</p>}
      {elsewhere.length > 0 && (
        <>
          <h2 className={styles.heading}>{texts.inbox.otherRuns}</h2>
          <WaitingList waiting={elsewhere} />
        </>
      )}
    </div>
  );
}
