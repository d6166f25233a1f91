import type { NodeDetail } from '#renderer/document/graph/node-detail.ts';
import { texts } from '#renderer/runs/supplied/texts.ts';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import styles from './node-card.module.css';
import { isLong } from './text-length.ts';
import { texts as canvasTexts } from './texts.ts';

interface NodeCardDetailProps {
  readonly detail: NodeDetail;
  /** While a run is shown: what it does there, in place of the detail. */
  readonly text?: string | undefined;
  /** While a run is shown: how often the node ran and for how long. */
  readonly ran?: string | undefined;
  /** Whether a mock answers its calls. */
  readonly mocked?: boolean;
}

/** A text with at most this many characters fits the line, also beside a count. */
const shortDetail = 12;

/** The muted line at the bottom of a card. */
export function NodeCardDetail({ detail, text, ran, mocked = false }: NodeCardDetailProps) {
  const shown = text ?? detail.text;
  return (
    <div className={styles.detail} data-mocked={mocked} title={mocked ? texts.mocked : undefined}>
      <span className={styles['detail-icon']} data-icon={`detail-${text ? 'text' : detail.type}`} aria-hidden="true" />
      <VisibleName className={isLong(shown, shortDetail) ? '' : styles.short} text={shown} title={detail.text} />
      {detail.writes !== undefined && <OutputChip name={detail.writes} />}
      {ran && !text && <span className={styles.rounds}>{ran}</span>}
    </div>
  );
}

/** The key of the state that an agent of a PyFlow workflow writes. */
function OutputChip({ name }: { name: string }) {
  return (
    <span className={styles.chip} title={canvasTexts.node.writes(name)} data-writes={name}>
      <VisibleName text={name} title={null} />
    </span>
  );
}
