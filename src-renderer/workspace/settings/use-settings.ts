import { useStore } from 'zustand';
import type { Settings } from '#shared/contract/app.ts';
import { settingsStore } from './settings.ts';

/** Subscribes to the user's settings. */
export function useSettings(): Settings {
  return useStore(settingsStore);
}
