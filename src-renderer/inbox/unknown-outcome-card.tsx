import { Button } from '@mantine/core';
import { useId } from 'react';
import { ValueEditor } from '#renderer/forms/value-editor.tsx';
import type { CardProps } from './card-props.ts';
import styles from './choice-card.module.css';
import { DecidingButton } from './deciding-button.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { InputFields } from './input-fields.tsx';
import { useAnswer } from './use-answer.ts';
import { useAnswerDraft } from './use-answer-draft.ts';
import { WaitingCard } from './waiting-card.tsx';
import type { Question } from './waiting-words.ts';

type UnknownOutcomeCardProps = CardProps & { readonly question: Extract<Question, { type: 'unknown_outcome' }> };

/** Asks what became of something that was under way when the process ended: do it again, or say what it came to. */
export function UnknownOutcomeCard({ run_id, suspension, question, frame }: UnknownOutcomeCardProps) {
  const formId = useId();
  const entry = useAnswerDraft({ run_id, tool_call_id: suspension.tool_call_id }, true);
  const { draft, change } = entry;
  const { busy: sending, failure, faults, answer } = useAnswer(run_id, suspension);
  const busy = sending || !entry.loaded;
  const supplying = draft.mode === 'edit';

  function supply() {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }

  return (
    <WaitingCard
      {...frame}
      failure={failure}
      actions={
        supplying ? (
          <>
            <DecidingButton disabled={busy} loading={busy} onDecide={supply}>
              Use this result
            </DecidingButton>
            <Button variant="default" disabled={busy} onClick={() => change({ mode: 'view' })}>
              Back
            </Button>
          </>
        ) : (
          <>
            <DecidingButton disabled={busy} loading={busy} onDecide={() => answer({ retry: true }, `${question.name} is done again`)}>
              Do it again
            </DecidingButton>
            <Button variant="default" disabled={busy} onClick={() => change({ mode: 'edit' })}>
              It was done: give the result
            </Button>
          </>
        )
      }
    >
      <p className={styles.question}>
        The studio ended while {question.name} was under way. It may have been done, or not. Look before you do it a second time.
      </p>
      <InputFields input={question.input} except={[]} />
      <DraftNotice draft={entry} schema={true} />
      {supplying && (
        <ValueEditor
          id={formId}
          label="Result"
          schema={true}
          key={entry.version}
          value={draft.value}
          text={draft.text}
          faults={faults}
          disabled={busy}
          onChange={(value) => change({ value })}
          onText={(text) => change({ text })}
          onSubmit={(result) => answer({ result }, 'The result was taken')}
        />
      )}
    </WaitingCard>
  );
}
