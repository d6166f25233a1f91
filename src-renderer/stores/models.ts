import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { ListedModel, ModelsOverview } from '#shared/contract/models.ts';
import type { TransferableError } from '#shared/runtime/error.ts';

interface ModelsState {
  /** What the host says of models; null until it has been read. Holds no key. */
  readonly overview: ModelsOverview | null;
  /** Models by provider, of those that were asked. */
  readonly listed: Readonly<Record<string, readonly ListedModel[]>>;
}

export const modelsStore = createStore<ModelsState>()(() => ({ overview: null, listed: {} }));

/** Reads what the host knows of models. Answers why that failed, else null. */
export function loadModels(): Promise<TransferableError | null> {
  return changeModels(() => studio.models.overview());
}

/** Does something that answers with the whole overview, and shows that. Answers why it failed, else null. */
export async function changeModels(change: () => Promise<ModelsOverview>): Promise<TransferableError | null> {
  try {
    modelsStore.setState({ overview: await change() });
    return null;
  } catch (thrown) {
    return failureOf(thrown);
  }
}

/** Asks a provider for its models and remembers them for the lists to choose from. Throws what the call throws. */
export async function listModels(provider: string): Promise<readonly ListedModel[]> {
  const models = await studio.models.list({ provider });
  modelsStore.setState(({ listed }) => ({ listed: { ...listed, [provider]: models } }));
  return models;
}

/** Model URLs to choose from: those of the providers that were asked, else the beginnings of URLs. The default comes first. */
export function modelSuggestions({ overview, listed }: ModelsState): string[] {
  const known = Object.values(listed).flatMap((models) => models.map(({ url }) => url));
  const prefixes = (overview?.providers ?? []).filter(({ id }) => !listed[id]).map(({ prefix }) => prefix);
  const files = (overview?.files ?? []).map(({ url }) => url);
  const first = overview?.default_model ? [overview.default_model] : [];
  return [...new Set([...first, ...known, ...files, ...prefixes, 'script://'])];
}
