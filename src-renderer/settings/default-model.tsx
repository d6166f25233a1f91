import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { ModelField } from '#renderer/models/model-field.tsx';
import { changeModels } from '#renderer/stores/models.ts';
import { FlowError } from '#shared/runtime/error.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** The model that new agents begin with, and a try of any model. */
export function DefaultModel({ model }: { model: string | null }) {
  const [url, setUrl] = useState(model ?? '');
  const action = useAction();
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const chosen = url.trim() || null;
    action.run(
      async () =>
        (await changeModels(() => studio.models.setDefault({ model: chosen }))) ??
        (chosen ? 'New agents begin with it.' : 'New agents begin without a model.'),
    );
  };
  const test = () =>
    action.run(async () => {
      const { ok, message, code, tokens } = await studio.models.test({ model: url.trim() });
      return ok ? `${message} ${tokens} tokens.` : new FlowError('AgentError', message, code === null ? {} : { code }).toJSON();
    });
  return (
    <section className={styles.group} aria-label="Default model">
      <h3>Default model</h3>
      <form className={styles.fields} onSubmit={keep}>
        <ModelField className={styles.grow ?? ''} label="Model of new agents" placeholder="none" value={url} onChange={setUrl} />
        <Button type="submit" variant="default" disabled={action.busy || (url.trim() || null) === model}>
          Keep
        </Button>
        <Button variant="default" disabled={!url.trim()} loading={action.busy} onClick={test}>
          Test model
        </Button>
      </form>
      <p className={styles.note}>The test makes one small request, which the provider may charge for.</p>
      <Outcome action={action} />
    </section>
  );
}
