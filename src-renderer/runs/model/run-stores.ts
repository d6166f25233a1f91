import { studio } from '#renderer/api/studio.ts';
import { askForConsent } from '#renderer/workspace/consent/consent-store.ts';
import { withConsent } from '#renderer/workspace/consent/with-consent.ts';
import { createRunList } from './run-list.ts';
import { createRunSession } from './run-session.ts';
import { createTimelinePages } from './timeline-pages.ts';

/** Shortest time between two flushes, in milliseconds: a run of thousands of steps a second renders a dozen times a second. */
const leastPause = 80;
let lastFlush = 0;

/** Runs with the next frame, or a little later after a recent flush or while the tab is hidden and has no frames. */
function withNextDrawing(flush: () => void): void {
  const draw = () => {
    lastFlush = performance.now();
    flush();
  };
  const pause = lastFlush + leastPause - performance.now();
  if (document.visibilityState !== 'visible' || pause > 0) setTimeout(draw, Math.max(pause, 0));
  else requestAnimationFrame(draw);
}

/** The runs of the folder. A call that needs consent asks the user. */
export const consentedRuns = withConsent(studio, askForConsent);

/** The page's one debugging session. */
export const runSessionStore = createRunSession(consentedRuns, withNextDrawing);

/** Rows of the shown run's timeline that were not loaded with it. */
export const timelinePagesStore = createTimelinePages(studio.runs);

/** The runs of the open folder. */
export const runListStore = createRunList(studio.runs, (summary) => runSessionStore.getState().onSummary(summary));
