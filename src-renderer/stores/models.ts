import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import type { TransferableError } from '#shared/runtime/error.ts';

interface ModelsState {
  /** What the host says of models; null until it has been read. Holds no key. */
  readonly overview: ModelsOverview | null;
}

export const modelsStore = createStore<ModelsState>()(() => ({ overview: null }));

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
