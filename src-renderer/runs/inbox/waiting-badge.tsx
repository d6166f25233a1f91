import { panelsStore } from '#renderer/shell/panels.ts';
import { texts } from './texts.ts';
import styles from './waiting-badge.module.css';

/** The badge of a node that waits for the user; a click opens its card in the Inbox. */
export function WaitingBadge({ text }: { text: string }) {
  return (
    <button
      type="button"
      // `nodrag` stops the canvas from treating the press as the start of a move.
      className={`nodrag ${styles.badge}`}
      title={texts.inbox.openHint}
      onClick={() => panelsStore.getState().showRight('waiting')}
    >
      {text}
    </button>
  );
}
