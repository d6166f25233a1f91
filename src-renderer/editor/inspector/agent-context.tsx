import { NumberInput, Select } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

const policies = [
  { value: 'all', label: texts.history.full },
  { value: 'last', label: texts.history.lastMessages },
  { value: 'tokens', label: texts.history.tokenLimit },
];

/** The amount that a policy starts with. */
const firstAmounts: Readonly<Record<string, number>> = { last: 40, tokens: 8000 };

/** How much of an agent's conversation is sent to its model. */
export function AgentContext({ agent, path }: { readonly agent: JsonObject; readonly path: DocumentPath }) {
  const context: JsonObject = isJsonObject(agent.context ?? null) ? (agent.context as JsonObject) : {};
  const [policy = 'all'] = Object.keys(context);
  const amount = context[policy];
  const set = (value: JsonObject | undefined) => setField([...path, 'context'], value, texts.history.edit);
  return (
    <div className={styles.row}>
      <Select
        label={texts.history.label}
        data={policies}
        value={policy}
        allowDeselect={false}
        onChange={(next) => set(next === null || next === 'all' ? undefined : { [next]: firstAmounts[next] ?? 1 })}
      />
      {policy !== 'all' && (
        <NumberInput
          label={policy === 'tokens' ? texts.history.tokens : texts.history.messages}
          min={1}
          value={typeof amount === 'number' ? amount : ''}
          onChange={(next) => typeof next === 'number' && next > 0 && set({ [policy]: next })}
        />
      )}
    </div>
  );
}
