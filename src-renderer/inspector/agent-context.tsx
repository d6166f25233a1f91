import { NumberInput, Select } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';

const policies = [
  { value: 'all', label: 'all of it' },
  { value: 'last', label: 'the last messages' },
  { value: 'tokens', label: 'as many tokens' },
];

/** What a policy begins with when it is chosen. */
const firstAmounts: Readonly<Record<string, number>> = { last: 40, tokens: 8000 };

/** How much of an agent's conversation its model is sent. */
export function AgentContext({ agent, path }: { readonly agent: JsonObject; readonly path: DocumentPath }) {
  const context: JsonObject = isJsonObject(agent.context ?? null) ? (agent.context as JsonObject) : {};
  const [policy = 'all'] = Object.keys(context);
  const amount = context[policy];
  const set = (value: JsonObject | undefined) => setField([...path, 'context'], value, 'Edit conversation sent');
  return (
    <div className={styles.row}>
      <Select
        label="Conversation sent"
        data={policies}
        value={policy}
        allowDeselect={false}
        onChange={(next) => set(next === null || next === 'all' ? undefined : { [next]: firstAmounts[next] ?? 1 })}
      />
      {policy !== 'all' && (
        <NumberInput
          label={policy === 'tokens' ? 'Tokens' : 'Messages'}
          min={1}
          value={typeof amount === 'number' ? amount : ''}
          onChange={(next) => typeof next === 'number' && next > 0 && set({ [policy]: next })}
        />
      )}
    </div>
  );
}
