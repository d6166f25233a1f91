import { studio } from '#renderer/api/studio.ts';
import { panelsNow, panelsStore, restorePanels } from '#renderer/shell/panels.ts';
import { loadSettings, settingsStore } from './settings.ts';

/** Pause after the last move before the panels are saved, in milliseconds. */
const keepDelay = 500;

/** Restores the panels from the settings, and saves them from then on. Returns the function that stops this. */
export function startWithSettings(onFailure: (thrown: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};
  const keep = () => {
    clearTimeout(timer);
    // A failure only means that the next start restores the previous panels: not worth an interruption.
    timer = setTimeout(() => void studio.app.setSettings({ panels: panelsNow(panelsStore.getState()) }).catch(() => undefined), keepDelay);
  };
  let ended = false;
  loadSettings()
    .then(() => {
      const { panels } = settingsStore.getState();
      if (panels) restorePanels(panels);
    }, onFailure)
    .finally(() => {
      if (!ended) end = panelsStore.subscribe(keep);
    });
  return () => {
    ended = true;
    clearTimeout(timer);
    end();
  };
}
