import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { announce } from '#renderer/shell/announcer.ts';
import { texts } from './texts.ts';

interface Follow {
  readonly follows: boolean;
  /** Whether the user has moved the canvas since the last command to the run: following waits for the next one. */
  readonly paused: boolean;
}

/** Whether the canvas keeps the current node of a run in view. */
export const followStore = createStore<Follow>()(() => ({ follows: true, paused: false }));

/** Subscribes to `followStore`. */
export function useFollow(): Follow {
  return useStore(followStore);
}

/** Turns following of runs on or off. */
export function toggleFollow(): void {
  const follows = !followStore.getState().follows;
  followStore.setState({ follows, paused: false });
  announce(follows ? texts.follow.on : texts.follow.off);
}

/** Lets the canvas stay where the user has moved it until the next command to the run. */
export function pauseFollow(): void {
  if (!followStore.getState().paused) followStore.setState({ paused: true });
}

/** Follows again after `pauseFollow`. */
export function resumeFollow(): void {
  if (followStore.getState().paused) followStore.setState({ paused: false });
}
