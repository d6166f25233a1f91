import { panelsStore } from '#renderer/stores/panels.ts';
import styles from './waiting-badge.module.css';

/** The badge of a node that waits for a person; a click brings the card that answers it forward. */
export function WaitingBadge({ text }: { text: string }) {
  return (
    <button
      type="button"
      // `nodrag` keeps the canvas from taking the press for the start of a move.
      className={`nodrag ${styles.badge}`}
      title="Answer in the Waiting panel"
      onClick={() => panelsStore.getState().showRight('waiting')}
    >
      {text}
    </button>
  );
}
