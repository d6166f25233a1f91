import { Button } from '@mantine/core';
import { hasSecretFields } from '#renderer/forms/secret-fields.ts';
import type { JsonSchema } from '#shared/json.ts';
import styles from './draft-notice.module.css';
import { answerDraftsStore, type DraftOfAnswer } from './use-answer-draft.ts';

/** Says that an unfinished answer was restored, or that another window has stored a different one. */
export function DraftNotice({ draft, schema }: { readonly draft: DraftOfAnswer; readonly schema: JsonSchema }) {
  const { key, restored_at, theirs } = draft;
  const { discard, takeTheirs, keepMine } = answerDraftsStore.getState();
  if (theirs) {
    return (
      <div className={styles.notice} data-conflict role="status" aria-label="Answer changed in another window">
        <span className={styles.text}>Another window has stored a different answer to this question. Nothing was overwritten.</span>
        <Button size="compact-xs" variant="default" onClick={() => takeTheirs(key)}>
          Use the other answer
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => keepMine(key)}>
          Keep mine
        </Button>
      </div>
    );
  }
  if (restored_at === null) return null;
  return (
    <div className={styles.notice} role="status" aria-label="Unfinished answer restored">
      <span className={styles.text}>
        Restored your unfinished answer from {new Date(restored_at).toLocaleString()}.
        {hasSecretFields(schema) && ' Secret fields are not stored: fill them in again.'}
      </span>
      <Button size="compact-xs" variant="default" onClick={() => discard(key)}>
        Discard
      </Button>
    </div>
  );
}
