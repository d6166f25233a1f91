import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { DecidingButton } from './deciding-button.tsx';
import styles from './refuse-form.module.css';
import { texts } from './texts.ts';

interface RefuseFormProps {
  readonly reason: string;
  readonly busy: boolean;
  onChange(reason: string): void;
  onRefuse(): void;
  onCancel(): void;
}

/** Asks for the reason, which the agent receives. */
export function RefuseReason({ reason, onChange }: Pick<RefuseFormProps, 'reason' | 'onChange'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The user has just pressed Reject… and types next.
  useEffect(() => field.current?.focus(), []);
  return (
    <Textarea
      ref={field}
      label={texts.approval.reason}
      description={texts.approval.reasonHint}
      required
      autosize
      minRows={2}
      maxRows={8}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The buttons of the reason form. */
export function RefuseButtons({ reason, busy, onRefuse, onCancel }: Omit<RefuseFormProps, 'onChange'>) {
  return (
    <>
      <DecidingButton className={styles.refuse} disabled={busy || reason.trim() === ''} loading={busy} onDecide={onRefuse}>
        {texts.approval.reject}
      </DecidingButton>
      <Button variant="default" disabled={busy} onClick={onCancel}>
        {texts.approval.cancel}
      </Button>
    </>
  );
}
