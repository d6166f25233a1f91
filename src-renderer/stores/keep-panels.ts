import { studio } from '#renderer/api/studio.ts';
import { panelsNow, panelsStore, restorePanels } from './panels.ts';
import { loadSettings, settingsStore } from './settings.ts';

/** The panels are kept when nobody has moved them for so long, in milliseconds. */
const keepDelay = 500;

/** Reads the settings, leaves the panels as they say, and keeps them from then on. Answers the function that ends the keeping. */
export function startWithSettings(onFailure: (thrown: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};
  const keep = () => {
    clearTimeout(timer);
    // What could not be kept is as it was at the next start: nothing to be told of in the middle of work.
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
