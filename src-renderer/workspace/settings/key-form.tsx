import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import styles from './settings.module.css';
import { texts } from './texts.ts';

interface KeyFormProps {
  readonly name: string;
  readonly endpoint: string;
  readonly onKey: (key: string) => void;
  readonly onCancel: () => void;
}

/** A form for a key. The page keeps it in no state: only the field holds it, and is cleared once it is sent. */
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
        label={texts.models.keyFor(name)}
        description={texts.models.keyHint(endpoint)}
        autoComplete="off"
        data-autofocus
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': texts.showTyped, tabIndex: 0 }}
      />
      <Button type="submit">{texts.models.saveKey}</Button>
      <Button variant="default" onClick={onCancel}>
        {texts.cancel}
      </Button>
    </form>
  );
}
