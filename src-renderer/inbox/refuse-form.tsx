import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { DecidingButton } from './deciding-button.tsx';
import styles from './refuse-form.module.css';

interface RefuseFormProps {
  readonly reason: string;
  readonly busy: boolean;
  onChange(reason: string): void;
  onRefuse(): void;
  onCancel(): void;
}

/** Asks why: the reason is what the agent is told. */
export function RefuseReason({ reason, onChange }: Pick<RefuseFormProps, 'reason' | 'onChange'>) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Somebody has just pressed Refuse…: what he does next is to type.
  useEffect(() => field.current?.focus(), []);
  return (
    <Textarea
      ref={field}
      label="Why not?"
      description="The agent reads this and can do better."
      required
      autosize
      minRows={2}
      maxRows={8}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The refusal's two ways out. */
export function RefuseButtons({ reason, busy, onRefuse, onCancel }: Omit<RefuseFormProps, 'onChange'>) {
  return (
    <>
      <DecidingButton className={styles.refuse} disabled={busy || reason.trim() === ''} loading={busy} onDecide={onRefuse}>
        Refuse
      </DecidingButton>
      <Button variant="default" disabled={busy} onClick={onCancel}>
        Back
      </Button>
    </>
  );
}
