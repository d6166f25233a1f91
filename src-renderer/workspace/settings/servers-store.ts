import { createStore } from 'zustand/vanilla';

/** Counts changes to the known servers: lists of runs load again after each. */
export const serversStore = createStore<{ readonly changes: number }>()(() => ({ changes: 0 }));

export function serversChanged(): void {
  serversStore.setState(({ changes }) => ({ changes: changes + 1 }));
}
