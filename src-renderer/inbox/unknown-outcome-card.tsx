import { Button } from '@mantine/core';
import { useId } from 'react';
import { ValueEditor } from '#renderer/forms/value-editor.tsx';
import { changeAnswerDraft, useAnswerDraft } from './answer-drafts.ts';
import type { CardProps } from './card-props.ts';
import styles from './choice-card.module.css';
import { DecidingButton } from './deciding-button.tsx';
import { InputFields } from './input-fields.tsx';
import { useAnswer } from './use-answer.ts';
import { WaitingCard } from './waiting-card.tsx';
import type { Question } from './waiting-words.ts';

type UnknownOutcomeCardProps = CardProps & { readonly question: Extract<Question, { type: 'unknown_outcome' }> };

/** Asks what became of something that was under way when the process ended: do it again, or say what it came to. */
export function UnknownOutcomeCard({ suspension, question, frame }: UnknownOutcomeCardProps) {
  const { tool_call_id } = suspension;
  const formId = useId();
  const draft = useAnswerDraft(tool_call_id);
  const { busy, failure, faults, answer } = useAnswer(suspension);
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
            <Button variant="default" disabled={busy} onClick={() => changeAnswerDraft(tool_call_id, { mode: 'view' })}>
              Back
            </Button>
          </>
        ) : (
          <>
            <DecidingButton disabled={busy} loading={busy} onDecide={() => answer({ retry: true }, `${question.name} is done again`)}>
              Do it again
            </DecidingButton>
            <Button variant="default" disabled={busy} onClick={() => changeAnswerDraft(tool_call_id, { mode: 'edit' })}>
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
      {supplying && (
        <ValueEditor
          id={formId}
          label="Result"
          schema={true}
          value={draft.value}
          faults={faults}
          disabled={busy}
          onChange={(value) => changeAnswerDraft(tool_call_id, { value })}
          onSubmit={(result) => answer({ result }, 'The result was taken')}
        />
      )}
    </WaitingCard>
  );
}
