import { Textarea } from '@mantine/core';
import styles from './json-field.module.css';

interface JsonFieldProps {
  readonly label: string;
  readonly text: string;
  readonly error: string | null;
  readonly disabled?: boolean;
  onChange(text: string): void;
}

/** A value as JSON text. */
export function JsonField({ label, text, error, disabled, onChange }: JsonFieldProps) {
  return (
    <Textarea
      label={label}
      value={text}
      error={error}
      disabled={disabled}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: styles.input, error: styles.error, label: styles.label }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
