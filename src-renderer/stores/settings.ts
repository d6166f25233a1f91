import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { noticeFailure } from '#renderer/notices/notices.ts';
import type { Settings } from '#shared/contract/app.ts';

/** The user's settings, as the host keeps them; the defaults until they have been read. */
export const settingsStore = createStore<Settings>()(() => ({ color_scheme: 'auto', panning: 'design', panels: null }));

/** Reads the settings from the host. */
export async function loadSettings(): Promise<void> {
  settingsStore.setState(await studio.app.settings());
}

/** Changes settings at once and keeps them; what could not be kept is said and taken back. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  const before = settingsStore.getState();
  settingsStore.setState(change);
  try {
    settingsStore.setState(await studio.app.setSettings(change));
  } catch (thrown) {
    settingsStore.setState(before);
    noticeFailure('The setting was not kept', thrown);
  }
}
