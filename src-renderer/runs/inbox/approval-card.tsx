import { Button } from '@mantine/core';
import { IconCornerDownLeft } from '@tabler/icons-react';
import { useId } from 'react';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { FileDifference } from '#renderer/ui/values/file-difference.tsx';
import { sameValue } from '#renderer/ui/values/value-difference.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import styles from './approval-card.module.css';
import type { CardProps } from './card-props.ts';
import { DecidingButton } from './deciding-button.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { InputFields } from './input-fields.tsx';
import type { Question } from './questions.ts';
import { RefuseButtons, RefuseReason } from './refuse-form.tsx';
import { texts } from './texts.ts';
import { useAnswer } from './use-answer.ts';
import { useAnswerDraft } from './use-answer-draft.ts';
import { usePreview } from './use-preview.ts';
import { WaitingCard } from './waiting-card.tsx';

type ApprovalCardProps = CardProps & { readonly question: Extract<Question, { type: 'approval' }> };

/** Fields whose effect a difference shows better than their text. */
const writtenFields = ['content', 'old', 'new', 'data'];

/** Asks whether a tool may be called: shows its input, which can be edited, and what it would change on disk. */
export function ApprovalCard({ run_id, suspension, question, frame }: ApprovalCardProps) {
  const { tool_call_id } = suspension;
  const formId = useId();
  const entry = useAnswerDraft({ run_id, tool_call_id }, question.input_schema);
  const { draft, change } = entry;
  const { busy: sending, failure, faults, answer } = useAnswer(run_id, suspension);
  const busy = sending || !entry.loaded;
  const input = draft.value === undefined ? question.input : draft.value;
  const edited = !sameValue(input, question.input);
  const preview = usePreview(run_id, tool_call_id, input);
  const { file } = preview;

  function approve(value: Json) {
    const changed = !sameValue(value, question.input);
    const payload = { approve: true, ...(changed && { input: value }), ...(file && { before_hash: file.before_hash }) };
    answer(payload, texts.approval.approved(question.tool));
  }

  /** Approves; an open form validates first. */
  function decide() {
    const form = draft.mode === 'edit' ? document.getElementById(formId) : null;
    if (form instanceof HTMLFormElement) form.requestSubmit();
    else approve(input);
  }

  const actions =
    draft.mode === 'refuse' ? (
      <RefuseButtons
        reason={draft.reason}
        busy={busy}
        onRefuse={() => answer({ approve: false, reason: draft.reason.trim() }, texts.approval.rejected(question.tool))}
        onCancel={() => change({ mode: 'view' })}
      />
    ) : (
      <>
        {/* A new key when the file has changed or a draft came in: the user must see what is shown now before approving it. */}
        <DecidingButton
          key={`${preview.changes} ${entry.version}`}
          disabled={busy || !preview.current}
          loading={busy}
          rightSection={<IconCornerDownLeft size={14} aria-hidden="true" />}
          onDecide={decide}
        >
          {edited ? texts.approval.approveEdited : texts.approval.approve}
        </DecidingButton>
        {draft.mode === 'edit' ? (
          <Button variant="default" disabled={busy} onClick={() => change({ mode: 'view', value: undefined, text: undefined })}>
            {texts.approval.discardEdits}
          </Button>
        ) : (
          <Button variant="default" disabled={busy} onClick={() => change({ mode: 'edit' })}>
            {texts.approval.edit}
          </Button>
        )}
        <Button className={styles.refuse} variant="subtle" color="red" disabled={busy} onClick={() => change({ mode: 'refuse' })}>
          {texts.approval.openReject}
        </Button>
      </>
    );

  return (
    <WaitingCard {...frame} failure={faults.length > 0 ? null : failure} actions={actions}>
      <DraftNotice draft={entry} schema={question.input_schema} />
      {draft.mode === 'edit' ? (
        <ValueEditor
          key={entry.version}
          id={formId}
          label={texts.approval.input}
          schema={question.input_schema}
          value={input}
          text={draft.text}
          faults={faults}
          disabled={busy}
          onChange={(value) => change({ value })}
          onText={(text) => change({ text })}
          onSubmit={approve}
        />
      ) : (
        <InputFields input={input} except={file ? writtenFields.filter((name) => isJsonObject(input) && name in input) : []} />
      )}
      {preview.changes > 0 && (
        <p className={styles.changed} role="status">
          {texts.approval.fileChanged}
        </p>
      )}
      {file && <FileDifference file={file} />}
      {preview.failure && <FailureText failure={preview.failure} />}
      {draft.mode === 'refuse' && <RefuseReason reason={draft.reason} onChange={(reason) => change({ reason })} />}
    </WaitingCard>
  );
}
