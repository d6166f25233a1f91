import { IconCornerDownLeft } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { firstValue } from '#renderer/forms/first-value.ts';
import { ValueEditor } from '#renderer/forms/value-editor.tsx';
import type { JsonSchema } from '#shared/json.ts';
import { changeAnswerDraft, useAnswerDraft } from './answer-drafts.ts';
import type { CardProps } from './card-props.ts';
import { DecidingButton } from './deciding-button.tsx';
import { useAnswer } from './use-answer.ts';
import { WaitingCard } from './waiting-card.tsx';

type AnswerCardProps = CardProps & {
  /** The form of the answer. */
  readonly schema: JsonSchema;
  /** What is asked, above the form. */
  readonly children: ReactNode;
};

/** Asks for a value: a form made from the schema of the answer. */
export function AnswerCard({ suspension, schema, frame, children }: AnswerCardProps) {
  const { tool_call_id } = suspension;
  const formId = useId();
  const draft = useAnswerDraft(tool_call_id);
  const { busy, failure, faults, answer } = useAnswer(suspension);

  function decide() {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }

  return (
    <WaitingCard
      {...frame}
      failure={faults.length > 0 ? null : failure}
      actions={
        <DecidingButton disabled={busy} loading={busy} rightSection={<IconCornerDownLeft size={14} aria-hidden="true" />} onDecide={decide}>
          Answer
        </DecidingButton>
      }
    >
      {children}
      <ValueEditor
        id={formId}
        label="Answer"
        schema={schema}
        value={draft.value ?? firstValue(schema)}
        faults={faults}
        defaults
        disabled={busy}
        onChange={(value) => changeAnswerDraft(tool_call_id, { value })}
        onSubmit={(value) => answer(value, 'Answered')}
      />
    </WaitingCard>
  );
}
