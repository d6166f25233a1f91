import { Button } from '@mantine/core';
import { useId } from 'react';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import type { CardProps } from './card-props.ts';
import styles from './choice-card.module.css';
import { DecidingButton } from './deciding-button.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { InputFields } from './input-fields.tsx';
import type { Question } from './questions.ts';
import { texts } from './texts.ts';
import { useAnswer } from './use-answer.ts';
import { useAnswerDraft } from './use-answer-draft.ts';
import { WaitingCard } from './waiting-card.tsx';

type UnknownOutcomeCardProps = CardProps & { readonly question: Extract<Question, { type: 'unknown_outcome' }> };

/** Asks about a call that was running when the process ended: run it again, or enter its result. */
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
              {texts.unknownOutcome.useResult}
            </DecidingButton>
            <Button variant="default" disabled={busy} onClick={() => change({ mode: 'view' })}>
              {texts.unknownOutcome.back}
            </Button>
          </>
        ) : (
          <>
            <DecidingButton
              disabled={busy}
              loading={busy}
              onDecide={() => answer({ retry: true }, texts.unknownOutcome.retried(question.name))}
            >
              {texts.unknownOutcome.retry}
            </DecidingButton>
            <Button variant="default" disabled={busy} onClick={() => change({ mode: 'edit' })}>
              {texts.unknownOutcome.openResult}
            </Button>
          </>
        )
      }
    >
      <p className={styles.question}>{texts.unknownOutcome.question(question.name)}</p>
      <InputFields input={question.input} except={[]} />
      <DraftNotice draft={entry} schema={true} />
      {supplying && (
        <ValueEditor
          id={formId}
          label={texts.unknownOutcome.result}
          schema={true}
          key={entry.version}
          value={draft.value}
          text={draft.text}
          faults={faults}
          disabled={busy}
          onChange={(value) => change({ value })}
          onText={(text) => change({ text })}
          onSubmit={(result) => answer({ result }, texts.unknownOutcome.resultUsed)}
        />
      )}
    </WaitingCard>
  );
}
