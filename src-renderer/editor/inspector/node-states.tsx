import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core';
import { IconBraces, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { portPath, whyNotConnected } from '#renderer/document/editing/connect.ts';
import { renameState } from '#renderer/document/editing/rename-state.ts';
import { freshState, openSchema, stateNames } from '#renderer/document/editing/states.ts';
import { carryOut } from '#renderer/document/flows/editor.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { setFields } from './edit-node.ts';
import styles from './inspector.module.css';
import { SchemaEditor } from './schema-editor.tsx';
import { texts } from './texts.ts';
import { useDraft } from './use-draft.ts';

/** The input and output states of a node: rename them, connect them by name, edit their schemas. */
export function NodeStates({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const [described, setDescribed] = useState<string | null>(null);
  const { outputs } = kindFacts[node.kind];
  const labels = outputs === 'branch' ? [texts.states.left, texts.states.right] : undefined;
  return (
    <div className={styles.section}>
      <h3>{texts.states.heading}</h3>
      {node.from.map((state, port) => (
        <StateField
          // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position
          key={`from ${port} ${state}`}
          label={node.from.length > 1 ? texts.states.inputAt(port + 1) : texts.states.input}
          state={state}
          side="from"
          port={port}
          node={node}
          flow={flow}
          onDescribe={setDescribed}
          described={described === state}
        />
      ))}
      {node.to.map((state, port) => (
        <StateField
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          key={`to ${port} ${state}`}
          label={labels?.[port] ?? (node.to.length > 1 ? texts.states.outputAt(port + 1) : texts.states.output)}
          state={state}
          side="to"
          port={port}
          node={node}
          flow={flow}
          onDescribe={setDescribed}
          described={described === state}
        />
      ))}
      {outputs === 'all' && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconPlus size={13} aria-hidden="true" />}
          onClick={() => {
            const state = freshState('Branch', stateNames(flow));
            setFields(
              [
                { type: 'insert', path: ['nodes', node.index, 'to', node.to.length], value: state },
                { type: 'set', path: ['schemas', state], value: openSchema },
              ],
              texts.states.addOutput,
            );
          }}
        >
          {texts.states.addOutput}
        </Button>
      )}
      {described !== null && <SchemaEditor state={described} schema={flow.schemas[described]} />}
    </div>
  );
}

interface StateFieldProps {
  readonly label: string;
  readonly state: string;
  readonly side: 'from' | 'to';
  readonly port: number;
  readonly node: OutlineNode;
  readonly flow: ReadableFlow;
  readonly described: boolean;
  onDescribe(state: string | null): void;
}

function StateField({ label, state, side, port, node, flow, described, onDescribe }: StateFieldProps) {
  // A large flow has thousands of names: list them only while the user chooses one.
  const [choosing, setChoosing] = useState(false);
  const names = useMemo(() => (choosing ? [...stateNames(flow)].sort() : []), [choosing, flow]);
  const draft = useDraft(state, (name) => applyName(name.trim()));

  /** A new name renames the state everywhere. The name of another state connects this port to it. */
  function applyName(name: string): string | null {
    if (!stateNames(flow).has(name)) {
      const plan = renameState(flow, state, name);
      if (!plan.ok) return plan.reason;
      carryOut(plan);
      return null;
    }
    if (side === 'to') {
      const target = flow.nodes.find((other) => other.from.includes(name));
      const why = target && whyNotConnected(flow, node, target, state, name);
      if (why) return why;
    } else if (flow.nodes.some((other) => other !== node && other.from.includes(name))) return texts.states.alreadyConsumed(name);
    setFields([{ type: 'set', path: portPath(node, side, port), value: name }], texts.states.connect(name));
    return null;
  }

  return (
    <div className={styles.state}>
      <span>{label}</span>
      <Autocomplete
        className={styles.code ?? ''}
        aria-label={texts.states.state(label)}
        data={names}
        limit={200}
        value={draft.value}
        error={draft.error}
        onChange={(value) => draft.onChange({ currentTarget: { value } })}
        onOptionSubmit={(value) => applyName(value)}
        onFocus={() => setChoosing(true)}
        onBlur={() => {
          setChoosing(false);
          draft.onBlur();
        }}
        onKeyDown={draft.onKeyDown}
      />
      <Tooltip label={texts.states.schemaOf(state)}>
        <ActionIcon
          aria-label={texts.states.schemaOf(state)}
          aria-pressed={described}
          variant={described ? 'light' : 'subtle'}
          onClick={() => onDescribe(described ? null : state)}
        >
          <IconBraces size={16} />
        </ActionIcon>
      </Tooltip>
      {kindFacts[node.kind].outputs === 'all' && side === 'to' && node.to.length > 2 && (
        <ActionIcon
          aria-label={texts.states.removeOutputNamed(state)}
          onClick={() => setFields([{ type: 'remove', path: ['nodes', node.index, 'to', port] }], texts.states.removeOutput)}
        >
          <IconTrash size={15} />
        </ActionIcon>
      )}
    </div>
  );
}
