import { type Icon, IconAlertTriangle, IconX } from '@tabler/icons-react';
import { revealNode } from '#renderer/document/flows/selection.ts';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { TransferableError } from '#shared/run/error.ts';
import styles from './error-card.module.css';
import { failureHelp } from './failure-texts.ts';
import { texts } from './texts.ts';

/** Something to do about a failure. At most one is primary. */
export interface FailureAction {
  readonly label: string;
  /** What exactly it does, for the tooltip. */
  readonly hint: string;
  readonly icon: Icon;
  readonly primary: boolean;
  act(): void;
}

interface ErrorCardProps {
  readonly error: TransferableError;
  readonly titles: NodeTitles;
  readonly actions: readonly FailureAction[];
  onDismiss?(): void;
}

/** The error and its causes, the outermost first. */
function chainOf(error: TransferableError): readonly TransferableError[] {
  return error.cause ? [error, ...chainOf(error.cause)] : [error];
}

/** Selects a node, with its code and the failed line in the inspector. */
function showNode(node: string): void {
  revealNode(node, true);
  panelsStore.getState().showRight('node');
}

/** An error with its node, advice and actions; technical details are collapsed. */
export function ErrorCard({ error, titles, actions, onDismiss }: ErrorCardProps) {
  const { title, advice } = failureHelp(error);
  const { node } = error;
  return (
    <section className={styles.card} aria-label={texts.failure.label(title)}>
      <div className={styles.head}>
        <IconAlertTriangle size={16} aria-hidden="true" />
        <strong>{title}</strong>
        {node !== null && node !== undefined && (
          <button type="button" className={styles.node} onClick={() => showNode(node)}>
            {texts.failure.inNode(titles(node))}
          </button>
        )}
        {actions.map(({ label, hint, icon: Sign, primary, act }) => (
          <button
            key={label}
            type="button"
            className={primary ? `${styles.action} ${styles.primary}` : styles.action}
            title={hint}
            onClick={act}
          >
            <Sign size={14} aria-hidden="true" />
            {label}
          </button>
        ))}
        {onDismiss && (
          <button type="button" className={styles.close} aria-label={texts.failure.dismiss} onClick={onDismiss}>
            <IconX size={14} aria-hidden="true" />
          </button>
        )}
      </div>
      <p className={styles.message}>{error.message}</p>
      <p className={styles.advice}>{advice}</p>
      <details>
        <summary className={styles.summary}>{texts.failure.details}</summary>
        {chainOf(error).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the causes of one error do not change
          <div key={index} className={styles.cause}>
            <code>
              {index > 0 && texts.failure.causedBy}
              {one.variant} · {one.code}
              {one.tool_id ? ` · ${one.tool_id}` : ''}
            </code>
            {index > 0 && <div>{one.message}</div>}
            {Object.entries(one.details ?? {}).map(([key, value]) => (
              <pre key={key} className={styles.detail}>
                {key}: {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
              </pre>
            ))}
          </div>
        ))}
      </details>
    </section>
  );
}
