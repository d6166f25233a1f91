import { Button } from '@mantine/core';
import { hasSecretFields } from '#renderer/ui/forms/secret-fields.ts';
import type { JsonSchema } from '#shared/json.ts';
import styles from './draft-notice.module.css';
import { texts } from './texts.ts';
import { answerDraftsStore, type DraftOfAnswer } from './use-answer-draft.ts';

/** Shown when an unfinished answer was restored, or another window has saved a different one. */
export function DraftNotice({ draft, schema }: { readonly draft: DraftOfAnswer; readonly schema: JsonSchema }) {
  const { key, restored_at, theirs } = draft;
  const { discard, takeTheirs, keepMine } = answerDraftsStore.getState();
  if (theirs) {
    return (
      <div className={styles.notice} data-conflict role="status" aria-label={texts.draft.conflictLabel}>
        <span className={styles.text}>{texts.draft.conflict}</span>
        <Button size="compact-xs" variant="default" onClick={() => takeTheirs(key)}>
          {texts.draft.useOther}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => keepMine(key)}>
          {texts.draft.keepMine}
        </Button>
      </div>
    );
  }
  if (restored_at === null) return null;
  return (
    <div className={styles.notice} role="status" aria-label={texts.draft.restoredLabel}>
      <span className={styles.text}>
        {texts.draft.restored(new Date(restored_at).toLocaleString())}
        {hasSecretFields(schema) && ` ${texts.draft.secretFields}`}
      </span>
      <Button size="compact-xs" variant="default" onClick={() => discard(key)}>
        {texts.draft.discard}
      </Button>
    </div>
  );
}
