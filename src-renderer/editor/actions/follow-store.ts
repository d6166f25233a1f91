import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { announce } from '#renderer/shell/announcer.ts';
import { texts } from './texts.ts';

const followStore = createStore<{ readonly follows: boolean }>()(() => ({ follows: true }));

/** Whether the canvas keeps the current node of a run in view. */
export function useFollows(): boolean {
  return useStore(followStore, (state) => state.follows);
}

/** Turns following of runs on or off. */
export function toggleFollow(): void {
  const follows = !followStore.getState().follows;
  followStore.setState({ follows });
  announce(follows ? texts.follow.on : texts.follow.off);
}
