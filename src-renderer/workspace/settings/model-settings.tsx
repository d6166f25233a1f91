import { Loader, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { loadModels, modelsStore } from '#renderer/workspace/models/models.ts';
import { DefaultModel } from './default-model.tsx';
import { ModelFiles } from './model-files.tsx';
import { ModelPrices } from './model-prices.tsx';
import { OtherKeys } from './other-keys.tsx';
import { Outcome } from './outcome.tsx';
import { ProviderRow } from './provider-row.tsx';
import { ServiceForm } from './service-form.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Providers of models, with their keys and prices. */
export function ModelSettings() {
  const overview = useStore(modelsStore, (state) => state.overview);
  const reading = useAction();
  // Reload each time: the environment and the folder may have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is shown
  useEffect(() => reading.run(loadModels), []);
  if (!overview) return reading.failure ? <Outcome action={reading} /> : <Loader size="sm" role="img" aria-label={texts.models.loading} />;
  return (
    <Stack gap="md">
      <section className={styles.first} aria-label={texts.models.providers}>
        <h3>{texts.models.providers}</h3>
        {overview.warning && <p className={styles.warning}>{overview.warning}</p>}
        <ul className={styles.list}>
          {overview.providers.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} />
          ))}
        </ul>
        <OtherKeys keys={overview.other_keys} />
        <ServiceForm />
      </section>
      <ModelFiles files={overview.files} />
      <DefaultModel model={overview.default_model} />
      <ModelPrices prices={overview.prices} folder_prices={overview.folder_prices} />
    </Stack>
  );
}
