import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { ModelField } from '#renderer/workspace/models/model-field.tsx';
import { changeModels } from '#renderer/workspace/models/models.ts';
import { FlowError } from '#shared/run/error.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** The model of new agents, and a test of any model. */
export function DefaultModel({ model }: { model: string | null }) {
  const [url, setUrl] = useState(model ?? '');
  const action = useAction();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const chosen = url.trim() || null;
    action.run(
      async () =>
        (await changeModels(() => studio.models.setDefault({ model: chosen }))) ??
        (chosen ? texts.models.default.set : texts.models.default.unset),
    );
  };
  const test = () =>
    action.run(async () => {
      const { ok, message, code, tokens } = await studio.models.test({ model: url.trim() });
      return ok
        ? texts.models.default.tested(message, tokens)
        : new FlowError('AgentError', message, code === null ? {} : { code }).toJSON();
    });
  return (
    <section className={styles.group} aria-label={texts.models.default.heading}>
      <h3>{texts.models.default.heading}</h3>
      <form className={styles.fields} onSubmit={save}>
        <ModelField
          className={styles.grow ?? ''}
          label={texts.models.default.label}
          placeholder={texts.models.default.none}
          value={url}
          onChange={setUrl}
        />
        <Button type="submit" variant="default" disabled={action.busy || (url.trim() || null) === model}>
          {texts.save}
        </Button>
        <Button variant="default" disabled={!url.trim()} loading={action.busy} onClick={test}>
          {texts.models.default.test}
        </Button>
      </form>
      <p className={styles.note}>{texts.models.default.about}</p>
      <Outcome action={action} />
    </section>
  );
}
