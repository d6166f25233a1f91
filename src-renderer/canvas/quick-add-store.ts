import { createStore } from 'zustand/vanilla';

/** Where a node is to be added, and what it is to be connected with. */
export interface QuickAddRequest {
  /** Where the menu opens, in pixels of the window. */
  readonly screen: { readonly x: number; readonly y: number };
  /** Where the node goes, in canvas pixels. */
  readonly at: { readonly x: number; readonly y: number };
  readonly consumes?: string;
  readonly produces?: string;
}

/** The menu from which a node is added; null while it is closed. */
export const quickAddStore = createStore<{ readonly request: QuickAddRequest | null }>()(() => ({ request: null }));

export function openQuickAdd(request: QuickAddRequest): void {
  quickAddStore.setState({ request });
}

export function closeQuickAdd(): void {
  quickAddStore.setState({ request: null });
}
