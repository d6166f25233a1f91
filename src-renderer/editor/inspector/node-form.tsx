import { Textarea, TextInput } from '@mantine/core';
import { memo } from 'react';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { AgentFields } from './agent-fields.tsx';
import { BodyFields } from './body-fields.tsx';
import { setField, textOrUndefined } from './edit-node.ts';
import styles from './inspector.module.css';
import { NestedFlowFields } from './nested-flow-fields.tsx';
import { NodeStates } from './node-states.tsx';
import { texts } from './texts.ts';
import { WithCode } from './with-code.tsx';

/** The form of a node: the fields that all kinds share, then those of its kind. */
export function NodeForm({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const path = ['nodes', node.index] as const;
  const text = (key: string) => (typeof node.raw[key] === 'string' ? node.raw[key] : '');
  return (
    <>
      <TextInput
        label={texts.node.title}
        placeholder={texts.node.titlePlaceholder}
        value={text('title')}
        onChange={(event) => setField([...path, 'title'], textOrUndefined(event.currentTarget.value), texts.node.editTitle)}
      />
      {node.kind !== 'flow' && <NodeStates node={node} flow={flow} />}
      {(node.kind === 'flow' || node.kind === 'each') && <NestedFlowFields node={node} />}
      {node.kind === 'agent' && <AgentFields node={node} flow={flow} />}
      {(node.kind === 'work' || node.kind === 'either' || node.kind === 'fork' || node.kind === 'join') && (
        <BodyFields node={node} flow={flow} />
      )}
      {node.kind === 'suspend' && (
        <p className={styles.hint}>
          <WithCode parts={texts.node.waitsHere(node.from[0] ?? '', node.to[0] ?? '')} />
        </p>
      )}
      <NoteField index={node.index} note={text('note')} />
    </>
  );
}

/** Memoized: an autosizing field measures itself at every render, so it must not render on each key typed in the code editor. */
const NoteField = memo(function NoteField({ index, note }: { index: number; note: string }) {
  return (
    <Textarea
      label={texts.node.notes}
      placeholder={texts.node.notesPlaceholder}
      autosize
      minRows={2}
      value={note}
      onChange={(event) => setField(['nodes', index, 'note'], textOrUndefined(event.currentTarget.value), texts.node.editNotes)}
    />
  );
});
