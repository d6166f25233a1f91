import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { ModelField } from '#renderer/workspace/models/model-field.tsx';
import { changeModels } from '#renderer/workspace/models/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Prices of models, entered by the user: vendors change their prices, so there are no built-in ones. */
export function ModelPrices({ prices, folder_prices }: Pick<ModelsOverview, 'prices' | 'folder_prices'>) {
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
    <section className={styles.group} aria-label={texts.models.prices.heading}>
      <h3>{texts.models.prices.heading}</h3>
      <p className={styles.note}>{texts.models.prices.about}</p>
      <ul className={styles.list}>
        {Object.entries(folder_prices).map(([url, price]) => (
          <li key={`folder ${url}`} className={styles.row}>
            <code className={`${styles.address} ${styles.grow}`}>{url}</code>
            <span className={styles.note}>{texts.models.prices.price(price.input, price.output)}</span>
            <span className={styles.note}>{texts.models.prices.ofFolder}</span>
          </li>
        ))}
        {Object.entries(prices).map(([url, price]) => (
          <li key={url} className={styles.row}>
            <code className={`${styles.address} ${styles.grow}`}>{url}</code>
            <span className={styles.note}>{texts.models.prices.price(price.input, price.output)}</span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={texts.models.prices.removeFor(url)}
              onClick={() => action.run(() => changeModels(() => studio.models.setPrice({ model: url, price: null })))}
            >
              {texts.remove}
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.fields} onSubmit={submit}>
        <ModelField className={styles.grow ?? ''} label={texts.models.prices.model} value={model} onChange={setModel} />
        <NumberInput label={texts.models.prices.input} w={90} min={0} value={input} onChange={setInput} />
        <NumberInput label={texts.models.prices.output} w={90} min={0} value={output} onChange={setOutput} />
        <Button type="submit" variant="default" disabled={!complete} loading={action.busy}>
          {texts.models.prices.set}
        </Button>
      </form>
      <Outcome action={action} />
    </section>
  );
}
