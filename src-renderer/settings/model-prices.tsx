import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { ModelField } from '#renderer/models/model-field.tsx';
import { changeModels } from '#renderer/stores/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** What models cost, as far as the user says so: vendors change their prices, so none are built in. */
export function ModelPrices({ prices }: { prices: ModelsOverview['prices'] }) {
  const [model, setModel] = useState('');
  const [input, setInput] = useState<number | string>('');
  const [output, setOutput] = useState<number | string>('');
  const action = useAction();
  const complete = model.trim() !== '' && typeof input === 'number' && typeof output === 'number';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!complete) return;
    action.run(async () => {
      const failure = await changeModels(() => studio.models.setPrice({ model: model.trim(), price: { input, output } }));
      if (!failure) setModel('');
      return failure;
    });
  };
  return (
    <section className={styles.group} aria-label="Prices">
      <h3>Prices</h3>
      <p className={styles.note}>
        For a million tokens, in your own currency. Where a model has a price, what a turn cost stands beside its tokens.
      </p>
      <ul className={styles.list}>
        {Object.entries(prices).map(([url, price]) => (
          <li key={url} className={styles.row}>
            <code className={`${styles.address} ${styles.grow}`}>{url}</code>
            <span className={styles.note}>
              {price.input} in, {price.output} out
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove the price of ${url}`}
              onClick={() => action.run(() => changeModels(() => studio.models.setPrice({ model: url, price: null })))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.fields} onSubmit={submit}>
        <ModelField className={styles.grow ?? ''} label="Model with a price" value={model} onChange={setModel} />
        <NumberInput label="In" w={90} min={0} value={input} onChange={setInput} />
        <NumberInput label="Out" w={90} min={0} value={output} onChange={setOutput} />
        <Button type="submit" variant="default" disabled={!complete} loading={action.busy}>
          Set price
        </Button>
      </form>
      <Outcome action={action} />
    </section>
  );
}
