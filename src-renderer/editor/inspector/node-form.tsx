import { Textarea, TextInput } from '@mantine/core';
import { memo, type ReactElement } from 'react';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { AgentFields } from './agent-fields.tsx';
import { BodyFields } from './body-fields.tsx';
import { setField, textOrUndefined } from './edit-node.ts';
import styles from './inspector.module.css';
import { NestedFlowFields } from './nested-flow-fields.tsx';
import { NodeStates } from './node-states.tsx';
import { sameButTexts } from './same-but-texts.ts';
import { SessionFields } from './session-fields.tsx';
import { texts } from './texts.ts';
import { WithCode } from './with-code.tsx';

interface NodeFormProps {
  readonly node: OutlineNode;
  readonly flow: ReadableFlow;
}

/** The form of a node: the fields that all kinds share, then those of its kind. */
export function NodeForm({ node, flow }: NodeFormProps) {
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
      <OtherFields node={node} flow={flow} />
      <NoteField index={node.index} note={text('note')} />
    </>
  );
}

/** All fields but the title and the notes. Memoized: a key typed into one of these two must not render the others. */
const OtherFields = memo(function OtherFields({ node, flow }: NodeFormProps) {
  return (
    <>
      {node.kind !== 'flow' && <NodeStates node={node} flow={flow} />}
      <KindFields node={node} flow={flow} />
    </>
  );
}, sameButTexts);

/** The fields of a node's own kind. */
function KindFields({ node, flow }: { node: OutlineNode; flow: ReadableFlow }): ReactElement {
  switch (node.kind) {
    case 'flow':
    case 'each':
      return <NestedFlowFields node={node} />;
    case 'agent':
      return (
        <>
          <AgentFields node={node} flow={flow} />
          <SessionFields node={node} flow={flow} />
        </>
      );
    case 'work':
    case 'either':
    case 'fork':
    case 'join':
      return node.raw.session === undefined ? <BodyFields node={node} flow={flow} /> : <SessionFields node={node} flow={flow} />;
    case 'suspend':
      return (
        <p className={styles.hint}>
          <WithCode parts={texts.node.waitsHere(node.from[0] ?? '', node.to[0] ?? '')} />
        </p>
      );
  }
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
