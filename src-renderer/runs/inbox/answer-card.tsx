import { IconCornerDownLeft } from '@tabler/icons-react';
import { type ReactNode, useId, useMemo } from 'react';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { prefilled, yesOrNo } from '#renderer/ui/forms/prefill.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import type { Json, JsonSchema } from '#shared/json.ts';
import styles from './answer-card.module.css';
import type { CardProps } from './card-props.ts';
import { DecidingButton } from './deciding-button.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { texts } from './texts.ts';
import { useAnswer } from './use-answer.ts';
import { useAnswerDraft } from './use-answer-draft.ts';
import { WaitingCard } from './waiting-card.tsx';

type AnswerCardProps = CardProps & {
  /** The form of the answer. */
  readonly schema: JsonSchema;
  /** The state that the answer is about; fields that both contain are prefilled. */
  readonly state?: Json;
  /** The question, above the form. */
  readonly children: ReactNode;
};

/** Asks for a value, with a form for the schema of the answer, or with Yes and No when the answer is nothing else. */
export function AnswerCard(props: AnswerCardProps) {
  return yesOrNo(props.schema) ? <YesOrNoCard {...props} /> : <FormCard {...props} />;
}

function FormCard({ run_id, suspension, schema, state, frame, children }: AnswerCardProps) {
  const formId = useId();
  const entry = useAnswerDraft({ run_id, tool_call_id: suspension.tool_call_id }, schema);
  const { draft, change } = entry;
  const { busy: sending, failure, faults, answer } = useAnswer(run_id, suspension);
  const busy = sending || !entry.loaded;
  const first = useMemo(() => prefilled(schema, state), [schema, state]);

  function decide() {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }

  return (
    <WaitingCard
      {...frame}
      failure={faults.length > 0 ? null : failure}
      actions={
        <DecidingButton
          key={entry.version}
          disabled={busy}
          loading={sending}
          rightSection={<IconCornerDownLeft size={14} aria-hidden="true" />}
          onDecide={decide}
        >
          {texts.answer.submit}
        </DecidingButton>
      }
    >
      {children}
      <DraftNotice draft={entry} schema={schema} />
      {first.fromState && draft.value === undefined && <p className={styles.note}>{texts.answer.prefilled}</p>}
      <ValueEditor
        key={entry.version}
        id={formId}
        label={texts.answer.label}
        schema={schema}
        value={draft.value ?? first.value}
        text={draft.text}
        faults={faults}
        defaults
        disabled={busy}
        onChange={(value) => change({ value })}
        onText={(text) => change({ text })}
        onSubmit={(value) => answer(value, texts.answer.submitted)}
      />
    </WaitingCard>
  );
}

function YesOrNoCard({ run_id, suspension, schema, frame, children }: AnswerCardProps) {
  const { busy, failure, answer } = useAnswer(run_id, suspension);
  const asked = yesOrNo(schema);
  if (!asked) return null;
  const { label, description } = asked;
  return (
    <WaitingCard
      {...frame}
      failure={failure}
      actions={
        <>
          <DecidingButton disabled={busy} onDecide={() => answer(asked.answer(true), texts.answer.answered(texts.answer.yes))}>
            {texts.answer.yes}
          </DecidingButton>
          <DecidingButton
            variant="default"
            disabled={busy}
            onDecide={() => answer(asked.answer(false), texts.answer.answered(texts.answer.no))}
          >
            {texts.answer.no}
          </DecidingButton>
        </>
      }
    >
      {children}
      {label !== '' && (
        <p className={styles.question}>
          <VisibleText text={label} />
        </p>
      )}
      {description !== '' && (
        <p className={styles.note}>
          <VisibleText text={description} />
        </p>
      )}
    </WaitingCard>
  );
}
