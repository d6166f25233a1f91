import { SegmentedControl } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Json, JsonSchema } from '#shared/json.ts';
import { type FieldFault, faultsOf } from './field-faults.ts';
import { hasForm } from './field-settings.ts';
import { JsonField } from './json-field.tsx';
import { jsonText, parseJson } from './parse-json.ts';
import { SchemaForm } from './schema-form.tsx';
import styles from './value-editor.module.css';

interface ValueEditorProps {
  /** Id of the form element that a submit button names. */
  readonly id: string;
  /** What is edited, in a word or two. */
  readonly label: string;
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  /** Unfinished JSON from the last edit; the editor starts with it. */
  readonly text?: string | undefined;
  readonly faults?: readonly FieldFault[];
  readonly defaults?: boolean;
  readonly disabled?: boolean;
  onChange(value: Json | undefined): void;
  /** Called with unfinished JSON, and with undefined once it parses. */
  onText?(text: string | undefined): void;
  onSubmit(value: Json): void;
}

const noFaults: readonly FieldFault[] = [];

function faultText(faults: readonly FieldFault[]): string | null {
  return faults.length === 0
    ? null
    : faults.map(({ path, message }) => (path.length > 0 ? `${path.join(' › ')}: ${message}` : message)).join('\n');
}

/** A value as a form made from its schema, or as JSON; both show the same value. */
export function ValueEditor(props: ValueEditorProps) {
  const { id, label, schema, value, text: typed, faults = noFaults, defaults = false, disabled, onChange, onText, onSubmit } = props;
  const formed = hasForm(schema);
  const [mode, setMode] = useState<'form' | 'json'>(formed && typed === undefined ? 'form' : 'json');
  const [text, setText] = useState(() => typed ?? jsonText(value));
  const [fault, setFault] = useState<string | null>(null);

  function choose(next: 'form' | 'json') {
    if (next === 'json') setText(jsonText(value));
    const parsed = parseJson(text);
    if (next === 'form' && 'error' in parsed) return setFault(parsed.error);
    setFault(null);
    setMode(next);
  }

  function type(next: string) {
    setText(next);
    setFault(null);
    const parsed = parseJson(next);
    const parses = 'value' in parsed;
    if (parses) onChange(parsed.value);
    if (typed !== undefined || !parses) onText?.(parses ? undefined : next);
  }

  function submitJson(event: FormEvent) {
    event.preventDefault();
    const parsed = parseJson(text);
    if ('error' in parsed) return setFault(parsed.error);
    const found = faultText(faultsOf(schema, parsed.value));
    setFault(found);
    if (!found) onSubmit(parsed.value);
  }

  return (
    <div className={styles.editor}>
      {formed && (
        <SegmentedControl
          className={styles.switch}
          aria-label={`${label} as a form or as JSON`}
          value={mode}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(next) => choose(next === 'json' ? 'json' : 'form')}
        />
      )}
      {formed && mode === 'form' ? (
        <SchemaForm {...{ id, label, schema, value, faults, defaults, disabled, onChange, onSubmit }} />
      ) : (
        <form id={id} onSubmit={submitJson} noValidate>
          <JsonField label={`${label} (JSON)`} text={text} error={fault ?? faultText(faults)} disabled={disabled} onChange={type} />
        </form>
      )}
    </div>
  );
}
