import { createStore } from 'zustand/vanilla';
import type { ImportReport } from '#shared/contract/flows.ts';

/** The findings of the last import, until the user has read them. */
export const importProblemsStore = createStore<{
  readonly shown: { readonly source: string; readonly flow: string | null; readonly problems: ImportReport['problems'] } | null;
}>()(() => ({ shown: null }));

export function closeImportProblems(): void {
  importProblemsStore.setState({ shown: null });
}
