import { Button } from '@mantine/core';
import { useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/workspace/models/models.ts';
import type { ModelProvider } from '#shared/contract/models.ts';
import { providerLabel } from '#shared/flow/providers.ts';
import { KeyForm } from './key-form.tsx';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** One provider: its address, the source of its key, and its actions. */
export function ProviderRow({ provider }: { provider: ModelProvider }) {
  const { id, kind, prefix, endpoint, endpoint_from } = provider;
  const [entering, setEntering] = useState(false);
  const action = useAction();
  const takesKey = endpoint !== null && (kind === 'vendor' || kind === 'service');
  const name = providerLabel(id);
  const test = () =>
    action.run(async () => {
      const models = await studio.models.list({ provider: id });
      return texts.models.connected(models.length, models[0]?.name ?? '');
    });
  return (
    <li className={styles.place}>
      <div className={styles.row}>
        <span className={styles.grow}>
          <span className={styles.name}>{name}</span> <code className={styles.address}>{prefix}</code>
        </span>
        <Button size="compact-xs" variant="default" loading={action.busy} onClick={test} aria-label={texts.models.testOf(name)}>
          {kind === 'llama' ? texts.models.list : texts.models.test}
        </Button>
        {takesKey && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setEntering(!entering)}
            aria-expanded={entering}
            aria-label={texts.models.keyButton(keyAction(provider), name)}
          >
            {keyAction(provider)}
          </Button>
        )}
        {provider.key_set_at !== null && endpoint !== null && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={texts.models.keyButton(texts.models.removeKey, name)}
            onClick={() =>
              action.run(
                async () => (await changeModels(() => studio.models.removeKey({ provider: id, endpoint }))) ?? texts.models.keyRemoved,
              )
            }
          >
            {texts.models.removeKey}
          </Button>
        )}
        {kind === 'service' && endpoint_from === 'settings' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={texts.removeOf(name)}
            onClick={() => action.run(() => changeModels(() => studio.models.removeService({ name: id })))}
          >
            {texts.remove}
          </Button>
        )}
      </div>
      {endpoint && (
        <p className={styles.note}>
          <code className={styles.address}>{endpoint}</code>
          {texts.models.addressFrom[endpoint_from]}
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
              async () => (await changeModels(() => studio.models.setKey({ provider: id, endpoint, key }))) ?? texts.models.keySaved,
            );
          }}
        />
      )}
      <Outcome action={action} />
    </li>
  );
}

const keyAction = ({ key_set_at }: ModelProvider) => (key_set_at === null ? texts.models.enterKey : texts.models.replaceKey);

/** The source of the key in use. */
function keyState({ key, key_variable, key_set_at }: ModelProvider): string {
  const { keyState: states } = texts.models;
  const since = key_set_at === null ? null : new Date(key_set_at).toLocaleDateString();
  switch (key) {
    case 'stored':
      return states.stored(since);
    case 'environment':
      return states.environment(key_variable ?? '', since !== null);
    case 'workspace':
      return states.workspace(key_variable ?? '');
    case 'none':
      return since === null ? states.none : states.unreadable(since);
  }
}
