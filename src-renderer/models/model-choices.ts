import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { loadModels, modelsStore } from '#renderer/stores/models.ts';
import type { ModelProvider } from '#shared/contract/models.ts';

/** What can be chosen as a model. Lists are asked for once a page, when somebody first looks for a model of theirs. */
export interface ModelChoices {
  readonly providers: readonly ModelProvider[];
  readonly default_model: string | null;
  /** URLs of the models that a provider offers, by its id; `loading` while it is asked, `failed` where it does not say. */
  readonly listed: Readonly<Record<string, readonly string[] | 'loading' | 'failed'>>;
}

export const modelChoicesStore = createStore<ModelChoices>(() => ({ providers: [], default_model: null, listed: {} }));

/** Learns which providers there are; called when a field for a model gets the focus. Without an answer it offers the beginnings of URLs alone. */
export async function loadProviders(): Promise<void> {
  await loadModels();
}

// A key that was entered or removed, or another address: what was said before counts no more.
modelsStore.subscribe(({ overview }, before) => {
  if (!overview) return;
  const { providers, default_model } = overview;
  const same = JSON.stringify(providers) === JSON.stringify(before.overview?.providers);
  modelChoicesStore.setState({ providers, default_model, ...(!same && { listed: {} }) });
});

/** Asks the provider of a URL that is being typed for its models. */
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

/** What a field for a model offers, the default first; beginnings of URLs only where nothing more is known behind them. */
export function offeredModels({ providers, default_model, listed }: ModelChoices): string[] {
  const known = providers.flatMap(({ id, prefix }) => {
    const models = listed[id];
    return Array.isArray(models) && models.length > 0 ? models : [prefix];
  });
  return [...new Set([...(default_model ? [default_model] : []), ...known, ...(providers.length === 0 ? beginnings : []), 'script://'])];
}

const beginnings = ['anthropic://', 'openai://', 'gemini://', 'ollama://127.0.0.1:11434/', 'genai://', 'llama://'];

/** What to say under a field for a model, given what stands in it. */
export function modelHint(text: string, { providers, listed }: ModelChoices): string | null {
  const provider = providers.find(({ prefix }) => text.startsWith(prefix));
  if (!provider) return null;
  if (listed[provider.id] === 'loading') return `Asking ${provider.id} for its models …`;
  if (provider.key === 'none' && provider.key_variable !== null) return `There is no key for ${provider.id} yet: Settings, Models & keys.`;
  if (listed[provider.id] === 'failed') return `${provider.id} does not say which models it has. Any name can be typed.`;
  return null;
}
