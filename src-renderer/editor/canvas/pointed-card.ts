import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface Pointed {
  /** Key of the node over whose card the pointer was last. */
  readonly key: string | null;
  /** Whether a wire is being drawn, which may end at any card. */
  readonly connecting: boolean;
}

export const pointedStore = createStore<Pointed>()(() => ({ key: null, connecting: false }));

/** Fingers touch a card before anything could be mounted for them. */
const hasTouch = window.matchMedia('(any-pointer: coarse)').matches;

/**
 * Whether a card can be used with the pointer now: it is over the card, or draws a wire. What only a pointer uses is mounted then: each part that all cards
 * in sight have is laid out, painted and told of each movement of the canvas.
 */
export function useIsPointed(key: string): boolean {
  return useStore(pointedStore, (state) => hasTouch || state.connecting || state.key === key);
}
