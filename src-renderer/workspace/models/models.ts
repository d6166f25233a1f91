import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import type { TransferableError } from '#shared/run/error.ts';

interface ModelsState {
  /** The host's overview of models; null until it has loaded. Contains no key. */
  readonly overview: ModelsOverview | null;
}

export const modelsStore = createStore<ModelsState>()(() => ({ overview: null }));

/** Loads the overview of models. Returns the failure, or null. */
export function loadModels(): Promise<TransferableError | null> {
  return changeModels(() => studio.models.overview());
}

/** Makes a change that returns the new overview, and shows it. Returns the failure, or null. */
export async function changeModels(change: () => Promise<ModelsOverview>): Promise<TransferableError | null> {
  try {
    modelsStore.setState({ overview: await change() });
    return null;
  } catch (thrown) {
    return failureOf(thrown);
  }
}
