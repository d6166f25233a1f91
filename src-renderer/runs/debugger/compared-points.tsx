import { CloseButton } from '@mantine/core';
import { useMemo } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import type { StateAt } from '#shared/contract/runs.ts';
import { endComparedStep } from './compared-step.ts';
import { MessagesAdded } from './messages-added.tsx';
import styles from './state-panel.module.css';
import { texts } from './texts.ts';
import { statesBetween } from './two-points.ts';

interface ComparedPointsProps {
  readonly view: RunView;
  readonly titles: (node: string) => string;
  /** The state map of the shown step. */
  readonly at: StateAt;
  /** The step with which it is compared. */
  readonly with: number;
}

/** What differs between two steps of the shown run: states, and messages of agents. */
export function ComparedPoints({ view, titles, at, with: seq }: ComparedPointsProps) {
  const answer = useReading({ run_id: view.run_id, seq }, '', (input) => studio.runs.stateAt(input));
  const other = answer?.input.seq === seq ? answer.output : null;
  const [before, after] = other && other.seq > at.seq ? [at, other] : [other, at];
  const states = useMemo(() => before && statesBetween(before, after), [before, after]);
  const [from, to] = [Math.min(seq, at.seq), Math.max(seq, at.seq)];
  return (
    <div className={styles.panel}>
      <div className={styles.bar}>
        <span className={styles.step}>{texts.state.compared(from, to)}</span>
        <CloseButton size="sm" aria-label={texts.state.endComparison} title={texts.state.endComparison} onClick={endComparedStep} />
      </div>
      {answer?.failure && <FailureText failure={answer.failure} />}
      {states?.map(({ name, difference }) => (
        <section key={name} className={styles.state}>
          <div className={styles.head}>
            {difference.kind === 'removed' ? <del className={styles.name}>{name}</del> : <span className={styles.name}>{name}</span>}
            <span className={styles.badge}>{texts.state.kinds[difference.kind]}</span>
          </div>
          <div className={styles.value}>
            <ValueTree key={`${from} ${to}`} label={texts.state.valueOf(name)} difference={difference} />
          </div>
        </section>
      ))}
      {states?.length === 0 && <p className={styles.note}>{texts.state.sameStates}</p>}
      <MessagesAdded view={view} titles={titles} nodes={view.conversations.map(({ node }) => node).slice(0, 10)} from={from} to={to} />
    </div>
  );
}
