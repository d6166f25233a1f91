import { Select, Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { bodyTypes } from '#renderer/code/body-types.ts';
import { CodeEditor } from '#renderer/code/code-editor.tsx';
import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type BodyKind, bodyChoices, bodyKind, changeBody } from './body-kinds.ts';
import { orNothing, setField, setFields } from './edit-node.ts';
import styles from './inspector.module.css';
import { ToolCallFields } from './tool-call-fields.tsx';
import { ToolUses } from './tool-uses.tsx';

/** What a work, either, fork or join does with its states. */
export function BodyFields({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const kind = bodyKind(node);
  const path = ['nodes', node.index] as const;
  const text = (key: string) => (typeof node.raw[key] === 'string' ? node.raw[key] : '');
  const set = (key: string, value: string | undefined) => setField([...path, key], value, `Edit ${key}`);
  const types = useMemo(() => bodyTypes(node, flow.schemas), [node, flow.schemas]);
  return (
    <div className={styles.section}>
      <Select
        label="Does"
        placeholder="Choose what decides"
        data={bodyChoices(node)}
        value={kind}
        allowDeselect={false}
        onChange={(value) => value && value !== kind && setFields(changeBody(node, value as BodyKind), 'Change body')}
      />
      {kind === 'expr' && (
        <>
          <Textarea
            className={styles.code ?? ''}
            label="Expression"
            description={
              node.kind === 'either'
                ? 'True goes left, false right. Fields by name, or input.'
                : 'Over the input’s fields by name, or input.'
            }
            autosize
            minRows={2}
            value={text('expr')}
            onChange={(event) => set('expr', event.currentTarget.value)}
          />
          {node.kind === 'work' && <Into value={text('into')} onChange={(value) => set('into', value)} />}
        </>
      )}
      {kind === 'run' && (
        <CodeEditor
          id={`body ${node.path}`}
          label={`Code of ${node.id}`}
          language="typescript"
          value={text('run')}
          declarations={types}
          onChange={(value) => set('run', value)}
        />
      )}
      {(kind === 'run_file' || kind === 'module') && (
        <TextInput
          className={styles.code ?? ''}
          label="File"
          description={
            kind === 'module' ? 'Runs as ordinary Node code, in trusted folders only.' : 'One function expression, run in the sandbox.'
          }
          value={text(kind)}
          onChange={(event) => set(kind, event.currentTarget.value)}
        />
      )}
      {kind === 'module' && (
        <TextInput
          className={styles.code ?? ''}
          label="Export"
          placeholder="default"
          value={text('export')}
          onChange={(event) => set('export', orNothing(event.currentTarget.value))}
        />
      )}
      {kind === 'tool' && (
        <>
          <ToolCallFields node={node} />
          <Into value={text('into')} onChange={(value) => set('into', value)} />
        </>
      )}
      {(kind === 'run' || kind === 'run_file' || kind === 'module') && (
        <ToolUses label="Tools that the code may call" path={[...path, 'tools']} value={node.raw.tools} />
      )}
    </div>
  );
}

function Into({ value, onChange }: { value: string; onChange: (value: string | undefined) => void }) {
  return (
    <TextInput
      className={styles.code ?? ''}
      label="Put the result into"
      placeholder="the whole output state"
      description="A field of the input; left empty, the result is the output state."
      value={value}
      onChange={(event) => onChange(orNothing(event.currentTarget.value))}
    />
  );
}
