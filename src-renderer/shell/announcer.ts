import { createStore } from 'zustand/vanilla';

interface Announcement {
  readonly text: string;
  /** Grows by one, so that the same sentence twice is spoken twice. */
  readonly count: number;
}

/** The sentence that the page's live region speaks. */
export const announcerStore = createStore<Announcement>()(() => ({ text: '', count: 0 }));

/** Announces to users of screen readers what has just happened. */
export function announce(text: string): void {
  announcerStore.setState((state) => ({ text, count: state.count + 1 }));
}
