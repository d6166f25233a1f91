import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/stores/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** Adds a service that speaks OpenAI's protocol, for all folders. */
export function ServiceForm() {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const action = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.run(async () => {
      const failure = await changeModels(() => studio.models.setService({ name: name.trim(), base_url: address.trim() }));
      if (failure) return failure;
      setName('');
      setAddress('');
      return `Added. Its models are genai://${name.trim()}/MODEL.`;
    });
  };
  return (
    <form onSubmit={submit}>
      <div className={styles.fields}>
        <TextInput label="Another service" placeholder="groq" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput
          className={styles.grow ?? ''}
          label="Its address"
          placeholder="https://…/v1"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!name.trim() || !address.trim()} loading={action.busy}>
          Add service
        </Button>
      </div>
      <p className={styles.note}>
        Any endpoint that speaks OpenAI’s chat completions: Groq, Mistral, DeepSeek, OpenRouter, vLLM, LM Studio.
      </p>
      <Outcome action={action} />
    </form>
  );
}
