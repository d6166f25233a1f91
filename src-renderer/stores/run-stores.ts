import { studio } from '#renderer/api/studio.ts';
import { createRunList } from './run-list.ts';
import { createRunSession } from './run-session.ts';

/** Together with the next drawing; in a hidden tab, where nothing is drawn, a little later. */
function withNextDrawing(flush: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush);
  else setTimeout(flush, 100);
}

/** The page's one debugging session. */
export const runSessionStore = createRunSession(studio.runs, withNextDrawing);

/** The runs of the open folder. */
export const runListStore = createRunList(studio.runs, (summary) => runSessionStore.getState().hear(summary));
