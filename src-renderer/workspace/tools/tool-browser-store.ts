import { createStore } from 'zustand/vanilla';

export type BrowserSelection = { readonly type: 'tool' | 'server'; readonly name: string };

/** Whether the tool browser is open, and what it shows. */
export const toolBrowserStore = createStore<{ readonly open: boolean; readonly selected: BrowserSelection }>()(() => ({
  open: false,
  selected: { type: 'tool', name: 'read_file' },
}));

/** Opens the tool browser, at a tool or server if given. */
export function openToolBrowser(selected?: BrowserSelection): void {
  toolBrowserStore.setState({ open: true, ...(selected && { selected }) });
}

export function closeToolBrowser(): void {
  toolBrowserStore.setState({ open: false });
}
