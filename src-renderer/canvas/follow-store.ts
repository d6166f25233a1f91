import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { announce } from '#renderer/stores/announcer.ts';

const followStore = createStore<{ readonly follows: boolean }>()(() => ({ follows: true }));

/** Whether the canvas keeps in sight what a run is at. */
export function useFollows(): boolean {
  return useStore(followStore, (state) => state.follows);
}

/** Switches between a canvas that follows runs and one that stays where it is. */
export function toggleFollow(): void {
  const follows = !followStore.getState().follows;
  followStore.setState({ follows });
  announce(follows ? 'The canvas follows the run.' : 'The canvas no longer follows the run.');
}
