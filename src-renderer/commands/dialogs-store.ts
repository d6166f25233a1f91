import { createStore } from 'zustand/vanilla';

/** The dialog of the studio itself that is open. */
export const dialogsStore = createStore<{ readonly open: 'settings' | 'shortcuts' | 'history' | 'find' | null }>()(() => ({ open: null }));

export function closeDialog(): void {
  dialogsStore.setState({ open: null });
}
