import { createStore } from 'zustand/vanilla';
import type { ImportConflict } from '#shared/contract/flows.ts';

/** Nodes of updated imports that were edited here and changed in the workflow, too, until the user has chosen. */
export const importConflictsStore = createStore<{ readonly open: readonly ImportConflict[] }>()(() => ({ open: [] }));

/** Takes a conflict off the list: the user has chosen. */
export function settleConflict(conflict: ImportConflict): void {
  importConflictsStore.setState(({ open }) => ({ open: open.filter((other) => other !== conflict) }));
}
