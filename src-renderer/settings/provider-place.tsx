import { Button } from '@mantine/core';
import { useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/stores/models.ts';
import type { ModelProvider } from '#shared/contract/models.ts';
import { KeyForm } from './key-form.tsx';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

const names: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  ollama: 'Ollama',
  llama: 'Model files, run here by llama.cpp',
};

const addressFrom: Readonly<Record<ModelProvider['endpoint_from'], string>> = {
  default: '',
  environment: ', from the environment',
  workspace: ', from this folder',
  settings: '',
};

/** One provider: its address, where its key comes from, and what can be done about it. */
export function ProviderPlace({ provider }: { provider: ModelProvider }) {
  const { id, kind, prefix, endpoint, endpoint_from } = provider;
  const [entering, setEntering] = useState(false);
  const action = useAction();
  const takesKey = endpoint !== null && (kind === 'vendor' || kind === 'service');
  const name = names[id] ?? id;
  const test = () =>
    action.run(async () => {
      const models = await studio.models.list({ provider: id });
      return models.length === 1
        ? `It answers, and offers one model: ${models[0]?.name}.`
        : `It answers, and offers ${models.length} models.`;
    });
  return (
    <li className={styles.place}>
      <div className={styles.row}>
        <span className={styles.grow}>
          <span className={styles.name}>{name}</span> <code className={styles.address}>{prefix}</code>
        </span>
        <Button size="compact-xs" variant="default" loading={action.busy} onClick={test} aria-label={`Test ${name}`}>
          {kind === 'llama' ? 'List' : 'Test'}
        </Button>
        {takesKey && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setEntering(!entering)}
            aria-expanded={entering}
            aria-label={`${keyWord(provider)} of ${name}`}
          >
            {keyWord(provider)}
          </Button>
        )}
        {provider.key_set_at !== null && endpoint !== null && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove the key of ${name}`}
            onClick={() =>
              action.run(async () => (await changeModels(() => studio.models.removeKey({ provider: id, endpoint }))) ?? 'The key is gone.')
            }
          >
            Remove key
          </Button>
        )}
        {kind === 'service' && endpoint_from === 'settings' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove ${name}`}
            onClick={() => action.run(() => changeModels(() => studio.models.removeService({ name: id })))}
          >
            Remove
          </Button>
        )}
      </div>
      {endpoint && (
        <p className={styles.note}>
          <code className={styles.address}>{endpoint}</code>
          {addressFrom[endpoint_from]}
          {takesKey && `. ${keyState(provider)}`}
        </p>
      )}
      {provider.problem && <p className={styles.warning}>{provider.problem}</p>}
      {entering && endpoint && (
        <KeyForm
          name={name}
          endpoint={endpoint}
          onCancel={() => setEntering(false)}
          onKey={(key) => {
            setEntering(false);
            action.run(
              async () => (await changeModels(() => studio.models.setKey({ provider: id, endpoint, key }))) ?? 'The key is kept. Test it.',
            );
          }}
        />
      )}
      <Outcome action={action} />
    </li>
  );
}

const keyWord = ({ key_set_at }: ModelProvider) => (key_set_at === null ? 'Enter key' : 'Replace key');

/** Where the key comes from that is used now. */
function keyState({ key, key_variable, key_set_at }: ModelProvider): string {
  const entered = key_set_at === null ? '' : `, entered ${new Date(key_set_at).toLocaleDateString()}`;
  switch (key) {
    case 'stored':
      return `Key kept for this address${entered}.`;
    case 'environment':
      return `Key from ${key_variable} of the environment${key_set_at === null ? '' : '; the one that is kept here is not used'}.`;
    case 'workspace':
      return `Key from ${key_variable} of this folder’s .env.`;
    case 'none':
      return key_set_at === null ? 'No key.' : `The key${entered} cannot be read here: enter it again.`;
  }
}
