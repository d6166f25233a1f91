import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import styles from './settings.module.css';

interface KeyFormProps {
  readonly name: string;
  readonly endpoint: string;
  readonly onKey: (key: string) => void;
  readonly onCancel: () => void;
}

/** Takes a key in. It is in no state of the page: the field holds it until it is sent, and is emptied then. */
export function KeyForm({ name, endpoint, onKey, onCancel }: KeyFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key === '' || !field.current) return;
    field.current.value = '';
    onKey(key);
  };
  return (
    <form className={styles.fields} onSubmit={submit} autoComplete="off">
      <PasswordInput
        ref={field}
        className={styles.grow ?? ''}
        size="xs"
        label={`Key of ${name}`}
        description={`It is sent to ${endpoint} and nowhere else, and cannot be shown again.`}
        autoComplete="off"
        data-autofocus
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
      />
      <Button type="submit">Keep key</Button>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
