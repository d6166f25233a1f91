import { createStore } from 'zustand/vanilla';

/** The flow whose deployment dialog is open, by its path; null: none. */
export const deployStore = createStore<{ readonly path: string | null }>()(() => ({ path: null }));

export function askToDeploy(path: string): void {
  deployStore.setState({ path });
}
