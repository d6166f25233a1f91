import { createStore } from 'zustand/vanilla';
import type { DragPayload } from './drag-payload.ts';

/** Where a node is to be added, and what it is to be connected with. */
export interface QuickAddRequest {
  /** Where the menu opens, in pixels of the window. */
  readonly screen: { readonly x: number; readonly y: number };
  /** Where the node goes, in canvas pixels. */
  readonly at: { readonly x: number; readonly y: number };
  readonly consumes?: string;
  readonly produces?: string;
  /** A node that runs a flow, of which something is still to be chosen: the flow, or whether it runs once or for each item. */
  readonly choosing?: DragPayload;
}

/** The menu from which a node is added; null while it is closed. */
export const quickAddStore = createStore<{ readonly request: QuickAddRequest | null }>()(() => ({ request: null }));

export function openQuickAdd(request: QuickAddRequest): void {
  quickAddStore.setState({ request });
}

export function closeQuickAdd(): void {
  quickAddStore.setState({ request: null });
}
