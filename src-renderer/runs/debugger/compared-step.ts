import { createStore } from 'zustand/vanilla';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';

/** The step of the shown run with which the shown one is compared; null: none. */
export const comparedStepStore = createStore<{ readonly seq: number | null }>()(() => ({ seq: null }));

/** Compares the step that is shown next with the one that is shown now; a comparison in progress keeps its first step. */
export function compareFrom(seq: number): void {
  if (comparedStepStore.getState().seq === null) comparedStepStore.setState({ seq });
}

export function endComparedStep(): void {
  comparedStepStore.setState({ seq: null });
}

runSessionStore.subscribe(({ view }, before) => {
  if (view?.run_id !== before.view?.run_id) endComparedStep();
});
