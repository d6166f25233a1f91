import { Textarea, TextInput } from '@mantine/core';
import { memo } from 'react';
import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { AgentFields } from './agent-fields.tsx';
import { BodyFields } from './body-fields.tsx';
import { orNothing, setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { NestedFlowFields } from './nested-flow-fields.tsx';
import { NodeStates } from './node-states.tsx';

/** The form of a node: what all kinds have, then what its kind has. */
export function NodeForm({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const path = ['nodes', node.index] as const;
  const text = (key: string) => (typeof node.raw[key] === 'string' ? node.raw[key] : '');
  return (
    <>
      <TextInput
        label="Title"
        placeholder="What people call it"
        value={text('title')}
        onChange={(event) => setField([...path, 'title'], orNothing(event.currentTarget.value), 'Edit title')}
      />
      {node.kind !== 'flow' && <NodeStates node={node} flow={flow} />}
      {(node.kind === 'flow' || node.kind === 'each') && <NestedFlowFields node={node} />}
      {node.kind === 'agent' && <AgentFields node={node} flow={flow} />}
      {(node.kind === 'work' || node.kind === 'either' || node.kind === 'fork' || node.kind === 'join') && (
        <BodyFields node={node} flow={flow} />
      )}
      {node.kind === 'suspend' && (
        <p className={styles.hint}>
          The run waits here. People see the state <code>{node.from[0]}</code> and answer with <code>{node.to[0]}</code>, in a form made
          from its schema.
        </p>
      )}
      <NoteField index={node.index} note={text('note')} />
    </>
  );
}

/** Apart, since a field that grows with its text is measured at every drawing: not at every key typed in the code above it. */
const NoteField = memo(function NoteField({ index, note }: { index: number; note: string }) {
  return (
    <Textarea
      label="Note"
      placeholder="For people; no meaning to the engine"
      autosize
      minRows={2}
      value={note}
      onChange={(event) => setField(['nodes', index, 'note'], orNothing(event.currentTarget.value), 'Edit note')}
    />
  );
});
