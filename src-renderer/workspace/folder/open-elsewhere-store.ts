import { createStore } from 'zustand/vanilla';

/** The flow to copy into another folder; null while the dialog is closed. */
export const openElsewhereStore = createStore<{ readonly path: string | null }>()(() => ({ path: null }));

/** Opens the dialog that copies a flow into another folder. */
export function openFlowElsewhere(path: string): void {
  openElsewhereStore.setState({ path });
}
