import { useEffect, useRef, useState } from 'react';
import { CodeEditor } from '#renderer/code/code-editor.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';

/** The JSON Schema of a state as JSON. What can be read is taken over at once; what cannot stays here with the reason. */
export function SchemaEditor({ state, schema }: { state: string; schema: Json | undefined }) {
  const written = JSON.stringify(schema ?? true, null, 2);
  const [text, setText] = useState(written);
  const [error, setError] = useState<string | null>(null);
  const taken = useRef(JSON.stringify(schema ?? true));

  useEffect(() => {
    // Undo, or an edit elsewhere; not the echo of what was typed here.
    if (JSON.stringify(schema ?? true) === taken.current) return;
    taken.current = JSON.stringify(schema ?? true);
    setText(written);
    setError(null);
  }, [schema, written]);

  function onChange(next: string) {
    setText(next);
    try {
      const value = JSON.parse(next) as Json;
      if (typeof value !== 'boolean' && !isJsonObject(value)) throw new Error('A schema is an object, true or false.');
      taken.current = JSON.stringify(value);
      setError(null);
      setField(['schemas', state], value, `Edit schema of ${state}`);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  return (
    <div className={styles.section}>
      <h3>
        <span>
          Schema of <code>{state}</code>
        </span>
      </h3>
      <CodeEditor id={`schema ${state}`} label={`Schema of ${state}`} language="json" value={text} onChange={onChange} />
      {error && (
        <p className={styles.problem} role="alert">
          Not taken over yet: {error}
        </p>
      )}
    </div>
  );
}
