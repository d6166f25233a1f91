import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/workspace/models/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Adds a service with OpenAI's protocol, for all folders. */
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
      return texts.models.service.added(name.trim());
    });
  };
  return (
    <form onSubmit={submit}>
      <div className={styles.fields}>
        <TextInput
          label={texts.models.service.name}
          placeholder="groq"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          className={styles.grow ?? ''}
          label={texts.models.service.address}
          placeholder="https://…/v1"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!name.trim() || !address.trim()} loading={action.busy}>
          {texts.models.service.add}
        </Button>
      </div>
      <p className={styles.note}>{texts.models.service.about}</p>
      <Outcome action={action} />
    </form>
  );
}
