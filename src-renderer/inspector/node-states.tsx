import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core';
import { IconBraces, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { portPath, whyNotConnected } from '#renderer/editing/connect.ts';
import { renameState } from '#renderer/editing/rename-state.ts';
import { freshState, openSchema, stateNames } from '#renderer/editing/states.ts';
import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { carryOut } from '#renderer/stores/editor.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { setFields } from './edit-node.ts';
import styles from './inspector.module.css';
import { SchemaEditor } from './schema-editor.tsx';
import { useDraft } from './use-draft.ts';

/** The states that a node consumes and produces: rename, connect by name, describe by a schema. */
export function NodeStates({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const [described, setDescribed] = useState<string | null>(null);
  const labels = { either: ['Left', 'Right'] }[node.kind as 'either'];
  return (
    <div className={styles.section}>
      <h3>States</h3>
      {node.from.map((state, port) => (
        <StateField
          // biome-ignore lint/suspicious/noArrayIndexKey: a port is its position
          key={`from ${port} ${state}`}
          label={node.from.length > 1 ? `Consumes ${port + 1}` : 'Consumes'}
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
          label={labels?.[port] ?? (node.to.length > 1 ? `Branch ${port + 1}` : 'Produces')}
          state={state}
          side="to"
          port={port}
          node={node}
          flow={flow}
          onDescribe={setDescribed}
          described={described === state}
        />
      ))}
      {node.kind === 'fork' && (
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
              'Add branch',
            );
          }}
        >
          Add a branch
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
  // A large flow has thousands of names, which nobody sees but who is about to choose one.
  const [choosing, setChoosing] = useState(false);
  const names = useMemo(() => (choosing ? [...stateNames(flow)].sort() : []), [choosing, flow]);
  const draft = useDraft(state, (name) => takeName(name.trim()));

  /** A new name renames the state everywhere; the name of another state connects this end with that. */
  function takeName(name: string): string | null {
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
    } else if (flow.nodes.some((other) => other !== node && other.from.includes(name)))
      return `${name} has a node that consumes it already.`;
    setFields([{ type: 'set', path: portPath(node, side, port), value: name }], `Connect ${name}`);
    return null;
  }

  return (
    <div className={styles.state}>
      <span>{label}</span>
      <Autocomplete
        className={styles.code ?? ''}
        aria-label={`${label} state`}
        data={names}
        limit={200}
        value={draft.value}
        error={draft.error}
        onChange={(value) => draft.onChange({ currentTarget: { value } })}
        onOptionSubmit={(value) => takeName(value)}
        onFocus={() => setChoosing(true)}
        onBlur={() => {
          setChoosing(false);
          draft.onBlur();
        }}
        onKeyDown={draft.onKeyDown}
      />
      <Tooltip label={`Schema of ${state}`}>
        <ActionIcon
          aria-label={`Schema of ${state}`}
          aria-pressed={described}
          variant={described ? 'light' : 'subtle'}
          onClick={() => onDescribe(described ? null : state)}
        >
          <IconBraces size={16} />
        </ActionIcon>
      </Tooltip>
      {node.kind === 'fork' && side === 'to' && node.to.length > 2 && (
        <ActionIcon
          aria-label={`Remove branch ${state}`}
          onClick={() => setFields([{ type: 'remove', path: ['nodes', node.index, 'to', port] }], 'Remove branch')}
        >
          <IconTrash size={15} />
        </ActionIcon>
      )}
    </div>
  );
}
