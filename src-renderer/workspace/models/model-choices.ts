import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import type { ModelProvider } from '#shared/contract/models.ts';
import { urlBeginnings } from '#shared/flow/providers.ts';
import { loadModels, modelsStore } from './models.ts';

/** The models to choose from. A provider's list is loaded once, when the user first looks for one of its models. */
export interface ModelChoices {
  readonly providers: readonly ModelProvider[];
  readonly default_model: string | null;
  /** URLs of a provider's models, by its id; `loading` while they load, `failed` when that failed. */
  readonly listed: Readonly<Record<string, readonly string[] | 'loading' | 'failed'>>;
}

export const modelChoicesStore = createStore<ModelChoices>(() => ({ providers: [], default_model: null, listed: {} }));

/** Loads the providers, when a model field gets the focus. If that fails, only the prefixes of URLs are offered. */
export async function loadProviders(): Promise<void> {
  await loadModels();
}

// A new or removed key or address makes the loaded lists stale.
modelsStore.subscribe(({ overview }, before) => {
  if (!overview) return;
  const { providers, default_model } = overview;
  const same = JSON.stringify(providers) === JSON.stringify(before.overview?.providers);
  modelChoicesStore.setState({ providers, default_model, ...(!same && { listed: {} }) });
});

/** Loads the models of the provider in the URL that is being typed. */
export async function loadModelsFor(text: string): Promise<void> {
  const { providers, listed } = modelChoicesStore.getState();
  const provider = providers.find(({ prefix }) => text.startsWith(prefix));
  if (!provider || listed[provider.id] !== undefined) return;
  const set = (state: ModelChoices['listed'][string]) =>
    modelChoicesStore.setState(({ listed: before }) => ({ listed: { ...before, [provider.id]: state } }));
  set('loading');
  try {
    set((await studio.models.list({ provider: provider.id })).map(({ url }) => url));
  } catch {
    set('failed');
  }
}

/** The options of a model field, the default first; prefixes of URLs only for providers without a loaded list. */
export function offeredModels({ providers, default_model, listed }: ModelChoices): string[] {
  const known = providers.flatMap(({ id, prefix }) => {
    const models = listed[id];
    return Array.isArray(models) && models.length > 0 ? models : [prefix];
  });
  return [...new Set([...(default_model ? [default_model] : []), ...known, ...(providers.length === 0 ? urlBeginnings : ['script://'])])];
}

/** The hint below a model field with this text. */
export function modelHint(text: string, { providers, listed }: ModelChoices): string | null {
  const provider = providers.find(({ prefix }) => text.startsWith(prefix));
  if (!provider) return null;
  if (listed[provider.id] === 'loading') return `Loading models of ${provider.id}…`;
  if (provider.key === 'none' && provider.key_variable !== null) return `No key for ${provider.id}. Add one in Settings, Models and keys.`;
  if (listed[provider.id] === 'failed') return `The models of ${provider.id} could not be loaded. You can type any name.`;
  return null;
}
