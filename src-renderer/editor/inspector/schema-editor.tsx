import { useEffect, useRef, useState } from 'react';
import { CodeEditor } from '#renderer/ui/code/code-editor.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** The JSON Schema of a state as text. Valid text is applied at once; invalid text stays here with the reason. */
export function SchemaEditor({ state, schema }: { state: string; schema: Json | undefined }) {
  const written = JSON.stringify(schema ?? true, null, 2);
  const [text, setText] = useState(written);
  const [error, setError] = useState<string | null>(null);
  const applied = useRef(JSON.stringify(schema ?? true));

  useEffect(() => {
    // Follow undo and edits made elsewhere, but not the edit made here.
    if (JSON.stringify(schema ?? true) === applied.current) return;
    applied.current = JSON.stringify(schema ?? true);
    setText(written);
    setError(null);
  }, [schema, written]);

  function onChange(next: string) {
    setText(next);
    try {
      const value = JSON.parse(next) as Json;
      if (typeof value !== 'boolean' && !isJsonObject(value)) throw new Error(texts.states.notASchema);
      applied.current = JSON.stringify(value);
      setError(null);
      setField(['schemas', state], value, texts.states.editSchemaOf(state));
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  return (
    <div className={styles.section}>
      <h3>
        <span>
          {texts.states.schemaOf('')}
          <code>{state}</code>
        </span>
      </h3>
      <CodeEditor id={`schema ${state}`} label={texts.states.schemaOf(state)} language="json" value={text} onChange={onChange} />
      {error && (
        <p className={styles.problem} role="alert">
          {texts.notSaved(error)}
        </p>
      )}
    </div>
  );
}
