import { Textarea, TextInput } from '@mantine/core';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** Fields of a `session` that hold text, by PyFlow's names for them. */
const textFields = [
  ['expr', 'expression'],
  ['code', 'function'],
  ['tool', 'tool'],
  ['output', 'output_key'],
  ['leave', 'loop'],
  ['transfer', 'agent'],
] as const;

/** The fields of a node of a PyFlow workflow, under the names that they have there, and where each key that it reads is written. */
export function SessionFields({ node, flow }: { readonly node: OutlineNode; readonly flow: ReadableFlow }) {
  const { session } = node.raw;
  if (!isJsonObject(session)) return null;
  const path = ['nodes', node.index, 'session'] as const;
  const inputs = namesIn(session.inputs);
  return (
    <div className={styles.section}>
      <h3>{texts.session.heading}</h3>
      {textFields.map(([field, label]) => {
        const value = session[field];
        if (typeof value !== 'string') return null;
        const Field = field === 'expr' ? Textarea : TextInput;
        return (
          <Field
            key={field}
            label={label}
            className={styles.code ?? ''}
            {...(field === 'expr' && { autosize: true })}
            value={value}
            onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
              setField([...path, field], currentTarget.value, texts.session.edit(label))
            }
          />
        );
      })}
      {typeof session.max === 'number' && <ReadOnly label="max_iterations" value={session.max} />}
      {session.with !== undefined && <ReadOnly label="tool_config" value={session.with} />}
      {typeof session.contents === 'string' && <ReadOnly label="include_contents" value={session.contents} />}
      {session.planner !== undefined && <ReadOnly label="planner" value={session.planner} />}
      {inputs.length > 0 && (
        <>
          <span className={styles.hint}>input_keys</span>
          <ul className={styles.list}>
            {inputs.map((key) => (
              <li key={key}>
                <code>{key}</code> <span className={styles.hint}>{texts.session.writtenBy(writersOf(key, flow))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function ReadOnly({ label, value }: { readonly label: string; readonly value: Json }) {
  return (
    <TextInput label={label} className={styles.code ?? ''} value={typeof value === 'string' ? value : JSON.stringify(value)} readOnly />
  );
}

function namesIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Ids of the nodes that write a key. */
export function writersOf(key: string, { nodes }: Pick<ReadableFlow, 'nodes'>): readonly string[] {
  return nodes.filter(({ raw }) => isJsonObject(raw.session) && (raw.session as JsonObject).output === key).map(({ id }) => id);
}
