import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import styles from './card-rounds.module.css';
import { versionOf } from './node-run.tsx';
import { texts } from './texts.ts';
import { chooseRound, useIteration } from './use-iteration.ts';

interface CardRoundsProps {
  readonly view: RunView;
  /** The node's id in the run. */
  readonly node: string;
  /** True for a nested flow. */
  readonly nested: boolean;
}

/** `‹ 3 of 40 ›` on the card of a node that ran more than once. Another round shows the whole run as it was at its end. */
export function CardRounds({ view, node, nested }: CardRoundsProps) {
  const selected = useRunSession((state) => state.selected);
  const subject = { run_id: view.run_id, node, nested };
  const { total = 0, iteration } = useIteration({ ...subject, seq: selected }, versionOf(view))?.output ?? {};
  if (total < 2) return null;
  const index = iteration?.index ?? 0;

  async function show(next: number) {
    try {
      await chooseRound(subject, next);
    } catch (thrown) {
      noticeFailure(texts.rounds, thrown);
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div className={`nodrag nopan ${styles.rounds}`} role="group" aria-label={texts.rounds}>
      <button type="button" aria-label={texts.previous} title={texts.previous} disabled={index <= 1} onClick={() => void show(index - 1)}>
        <IconChevronLeft size={12} aria-hidden="true" />
      </button>
      <span>{texts.round(index, total)}</span>
      <button type="button" aria-label={texts.next} title={texts.next} disabled={index >= total} onClick={() => void show(index + 1)}>
        <IconChevronRight size={12} aria-hidden="true" />
      </button>
    </div>
  );
}
