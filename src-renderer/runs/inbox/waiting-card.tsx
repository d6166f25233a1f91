import { IconHandStop } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { useNow } from '#renderer/ui/controls/use-now.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { waitText } from '#renderer/ui/values/durations.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import type { TransferableError } from '#shared/run/error.ts';
import { waitingCardMark } from './focus-waiting-card.ts';
import { texts } from './texts.ts';
import styles from './waiting-card.module.css';

interface WaitingCardProps {
  /** What is asked. */
  readonly title: string;
  readonly node: string;
  readonly nodeTitle: string;
  /** The turn of an agent that asks. */
  readonly turn: number | null;
  readonly since: number;
  readonly failure: TransferableError | null;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** The frame of every question: what is asked, since when, and the buttons to answer. */
export function WaitingCard({ title, node, nodeTitle, turn, since, failure, children, actions }: WaitingCardProps) {
  const heading = useId();
  const now = useNow(1000);

  /** Enter in a field does not answer: only a focused button does. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
  }

  return (
    <section className={styles.card} aria-labelledby={heading} tabIndex={-1} onKeyDown={onKeyDown} {...waitingCardMark}>
      <header className={styles.head}>
        <span className={styles.sign}>
          <IconHandStop size={16} aria-hidden="true" />
        </span>
        <div>
          <h2 id={heading} className={styles.title}>
            <VisibleText text={title} />
          </h2>
          <div className={styles.about}>
            <button type="button" className={styles.node} onClick={() => revealNode(node)}>
              <VisibleText text={nodeTitle} />
            </button>
            {turn !== null && ` · ${texts.card.turn(turn)}`} · {texts.card.waiting(waitText(now - since))}
          </div>
        </div>
      </header>
      {children}
      {failure && <FailureText failure={failure} />}
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}
