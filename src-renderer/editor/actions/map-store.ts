import { createStore } from 'zustand/vanilla';
import { announce } from '#renderer/shell/announcer.ts';
import { texts } from './texts.ts';

/** Whether the user has asked for the map of the flow, or hidden it; null while it appears by itself where it helps. */
export const mapStore = createStore<{ readonly shown: boolean | null }>()(() => ({ shown: null }));

/** Shows or hides the map of the flow. */
export function toggleMap(): void {
  const shown = !document.querySelector('[data-flow-map]')?.getBoundingClientRect().width;
  mapStore.setState({ shown });
  announce(shown ? texts.map.shown : texts.map.hidden);
}
