import { useSyncExternalStore } from 'react';

/** Flows of more nodes are drawn on the surface even for those who ask for contrast. */
const mostNodes = 200;

const asked = typeof window === 'undefined' ? null : window.matchMedia('(forced-colors: active), (prefers-contrast: more)');

function subscribe(listener: () => void): () => void {
  asked?.addEventListener('change', listener);
  return () => asked?.removeEventListener('change', listener);
}

/** Whether cards stay mounted at every zoom: the user's system asks for high contrast or has its own colours, and the flow is not large. */
export function useCardContrast(nodes: number): boolean {
  return useSyncExternalStore(subscribe, () => asked?.matches === true) && nodes <= mostNodes;
}
