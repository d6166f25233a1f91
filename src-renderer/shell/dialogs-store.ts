import { createStore } from 'zustand/vanilla';

/** The open dialog of the studio itself, or null. */
export const dialogsStore = createStore<{ readonly open: 'settings' | 'shortcuts' | 'history' | 'find' | null }>()(() => ({ open: null }));

export function closeDialog(): void {
  dialogsStore.setState({ open: null });
}
