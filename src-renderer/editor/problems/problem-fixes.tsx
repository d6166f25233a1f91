import { IconBulb } from '@tabler/icons-react';
import { carryOut } from '#renderer/document/flows/editor.ts';
import type { Problem } from '#shared/flow/problem.ts';
import styles from './problems-panel.module.css';
import { texts } from './texts.ts';

/** Buttons that fix a problem, each as one undo step. */
export function ProblemFixes({ problem }: { problem: Problem }) {
  return problem.fixes?.map(({ title, edits }) => (
    <button
      key={title}
      type="button"
      className={styles.play}
      title={texts.fix(title)}
      onClick={() => carryOut({ ok: true, label: title, edits })}
    >
      <IconBulb size={13} aria-hidden="true" />
      {title}
    </button>
  ));
}
