import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { texts as roundTexts } from '#renderer/runs/iterations/texts.ts';
import { numberText } from '#renderer/ui/controls/counted.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import type { Fold, Round } from '#shared/contract/iterations.ts';
import styles from './timeline.module.css';

interface RoundRowProps {
  readonly fold: Fold;
  readonly index: number;
  readonly open: boolean;
  /** Undefined until it has been read. */
  readonly round: Round | undefined;
  readonly title: string;
}

/** The cells of a line for a round of a loop, or an item. */
export function RoundRow({ fold: { kind }, index, open, round, title }: RoundRowProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <span className={styles.number} />
      <span className={styles.sign}>
        <Chevron size={15} aria-hidden="true" />
      </span>
      <span className={styles.node} title={title}>
        {roundTexts.foldedRound(kind, index)}
        <span className={styles.of}> · {title}</span>
      </span>
      <span className={styles.produced}>
        {round && (round.status === 'done' ? roundTexts.step(round.from_seq, round.to_seq) : roundTexts.status[round.status])}
      </span>
      <span className={styles.tokens}>{round && round.tokens > 0 && numberText(round.tokens)}</span>
      <span className={styles.duration}>{round && durationText(round.duration_ms)}</span>
    </>
  );
}
