import { createStore } from 'zustand/vanilla';
import type { DragPayload } from '#renderer/editor/entries/drag-payload.ts';
import type { PortPlace } from '#renderer/editor/entries/library-entries.ts';

/** Where to add a node and what to connect it to. */
export interface QuickAddRequest {
  /** Where the menu opens, in pixels of the window. */
  readonly screen: { readonly x: number; readonly y: number };
  /** Where the node goes, in canvas pixels. */
  readonly at: { readonly x: number; readonly y: number };
  readonly consumes?: string;
  readonly produces?: string;
  /** A node that runs a flow, while the flow, or whether it runs once or for each item, is not chosen yet. */
  readonly choosing?: DragPayload;
  /** The port that the wire comes from. */
  readonly from?: PortPlace;
  /** The wire that the node goes into, by its key. */
  readonly wire?: string;
  /** Ports to choose from: the wire was dropped on a card with several. */
  readonly ports?: readonly PortPlace[];
}

/** The open quick-add menu, or null. */
export const quickAddStore = createStore<{ readonly request: QuickAddRequest | null }>()(() => ({ request: null }));

export function openQuickAdd(request: QuickAddRequest): void {
  quickAddStore.setState({ request });
}

export function closeQuickAdd(): void {
  quickAddStore.setState({ request: null });
}
