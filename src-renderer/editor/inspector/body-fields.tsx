import { Select, Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { bodyTypes } from '#renderer/document/editing/body-types.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { CodeEditor } from '#renderer/ui/code/code-editor.tsx';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { type BodyKind, bodyChoices, bodyKind, changeBody } from './body-kinds.ts';
import { setField, setFields, textOrUndefined } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';
import { ToolCallFields } from './tool-call-fields.tsx';
import { ToolUses } from './tool-uses.tsx';
import { useFailedLine } from './use-failed-line.ts';

/** The body of a work, either, fork or join node. */
export function BodyFields({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const kind = bodyKind(node);
  const path = ['nodes', node.index] as const;
  const text = (key: string) => (typeof node.raw[key] === 'string' ? node.raw[key] : '');
  const set = (key: string, value: string | undefined) => setField([...path, key], value, texts.body.edit(key));
  const failed = useFailedLine(node);
  const types = useMemo(() => bodyTypes(node, flow.schemas), [node, flow.schemas]);
  return (
    <div className={styles.section}>
      <Select
        label={texts.body.action}
        placeholder={texts.body.chooseAction}
        data={bodyChoices(node)}
        value={kind}
        allowDeselect={false}
        onChange={(value) => value && value !== kind && setFields(changeBody(node, value as BodyKind), texts.body.changeAction)}
      />
      {kind === 'expr' && (
        <>
          <Textarea
            className={styles.code ?? ''}
            label={texts.body.expression}
            description={node.kind === 'either' ? texts.body.branchExpressionHint : texts.body.expressionHint}
            autosize
            minRows={2}
            value={text('expr')}
            onChange={(event) => set('expr', event.currentTarget.value)}
          />
          {node.kind === 'work' && <ResultField value={text('into')} onChange={(value) => set('into', value)} />}
        </>
      )}
      {kind === 'run' && (
        <>
          <CodeEditor
            id={`body ${node.path}`}
            label={texts.body.codeOf(node.id)}
            language="typescript"
            value={text('run')}
            declarations={types}
            mark={failed}
            onChange={(value) => set('run', value)}
          />
          {failed && (
            <p className={styles.problem} data-tone="error">
              {failed.message}
            </p>
          )}
        </>
      )}
      {(kind === 'run_file' || kind === 'module') && (
        <TextInput
          className={styles.code ?? ''}
          label={texts.body.file}
          description={kind === 'module' ? texts.body.moduleHint : texts.body.fileHint}
          value={text(kind)}
          onChange={(event) => set(kind, event.currentTarget.value)}
        />
      )}
      {kind === 'module' && (
        <TextInput
          className={styles.code ?? ''}
          label={texts.body.export}
          placeholder={texts.body.defaultExport}
          value={text('export')}
          onChange={(event) => set('export', textOrUndefined(event.currentTarget.value))}
        />
      )}
      {kind === 'tool' && (
        <>
          <ToolCallFields node={node} />
          <ResultField value={text('into')} onChange={(value) => set('into', value)} />
        </>
      )}
      {(kind === 'run' || kind === 'run_file' || kind === 'module') && (
        <ToolUses label={texts.body.toolsOfCode} path={[...path, 'tools']} value={node.raw.tools} />
      )}
    </div>
  );
}

function ResultField({ value, onChange }: { value: string; onChange: (value: string | undefined) => void }) {
  return (
    <TextInput
      className={styles.code ?? ''}
      label={texts.body.saveResultTo}
      placeholder={texts.body.wholeOutput}
      description={texts.body.saveResultHint}
      value={value}
      onChange={(event) => onChange(textOrUndefined(event.currentTarget.value))}
    />
  );
}
