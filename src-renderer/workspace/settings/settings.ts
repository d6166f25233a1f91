import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import type { Settings } from '#shared/contract/app.ts';
import { texts } from './texts.ts';

/** The user's settings; the defaults until they have loaded. */
export const settingsStore = createStore<Settings>()(() => ({ color_scheme: 'auto', panning: 'design', panels: null }));

/** Reads the settings from the host. */
export async function loadSettings(): Promise<void> {
  settingsStore.setState(await studio.app.settings());
}

/** Changes settings at once and saves them; a change that can't be saved is reported and reverted. */
export async function changeSettings(change: Partial<Settings>): Promise<void> {
  const before = settingsStore.getState();
  settingsStore.setState(change);
  try {
    settingsStore.setState(await studio.app.setSettings(change));
  } catch (thrown) {
    settingsStore.setState(before);
    noticeFailure(texts.notSaved, thrown);
  }
}
