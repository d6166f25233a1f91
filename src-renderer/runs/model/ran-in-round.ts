import { createStore } from 'zustand/vanilla';
import type { studio } from '#renderer/api/studio.ts';
import { missingRecord, shownFrame, wayInto } from './run-inside.ts';
import type { Tallies } from './run-marks-at.ts';
import type { RunSessionState } from './run-session.ts';
import { consentedRuns, runSessionStore } from './run-stores.ts';
import { type RunSubject, runSubjectStore } from './run-subject.ts';

type Request = Parameters<typeof studio.runs.ranBetween>[0];

/** What ran in the records that the window counts, by ids in the run. */
interface Ran {
  readonly request: Request;
  readonly tallies: Tallies;
  readonly agents: readonly string[];
}

/** What ran in the chosen round, or in the item whose flow is shown; null while everything up to the shown step counts. */
export const ranInRoundStore = createStore<{ readonly ran: Ran | null }>()(() => ({ ran: null }));

/**
 * What has to be counted by reading the record: the chosen round up to the shown step, or an item of which the window has not all rows. While a run works, the rows
 * at hand have to do.
 */
export function wantedRan({ view, selected, shown, round }: Session, subject: RunSubject | null): Request | null {
  const way = view && wayInto(view, subject);
  if (!view || (!round && !way)) return null;
  const seq = selected ?? view.seq;
  const inside = way && shownFrame(view, selected === null ? 'now' : { seq, state: shown }, way);
  const hasAllRows = (view.timeline[0]?.seq ?? 1) <= 1;
  if (!round && (inside === null || hasAllRows || (selected === null && view.status === 'running'))) return null;
  const last = Math.min(seq, round?.to_seq ?? seq);
  return { run_id: view.run_id, from_seq: round?.from_seq ?? 1, to_seq: last, ...(inside != null && { inside }) };
}

/** The statistics that replace those of the whole run, once they have been read; null if there are none to replace. */
export function countedOf({ view }: Pick<Session, 'view'>): Tallies | null {
  const { ran } = ranInRoundStore.getState();
  return ran && ran.request.run_id === view?.run_id ? ran.tallies : null;
}

type Session = Pick<RunSessionState, 'view' | 'selected' | 'shown' | 'round'>;

let reading = false;

/** Reads what is missing for what is shown, one request at a time. */
async function keepUp(): Promise<void> {
  if (reading) return;
  reading = true;
  try {
    for (let again = true; again; ) again = await readNext();
  } catch {
    // A run that cannot be read is reported where it is shown; the next change tries again.
  } finally {
    reading = false;
  }
}

async function readNext(): Promise<boolean> {
  const [session, { flow }] = [runSessionStore.getState(), runSubjectStore.getState()];
  const { view, selected, shown } = session;
  const way = view && wayInto(view, flow);
  const missing = way ? missingRecord(view, selected === null ? 'now' : { seq: selected, state: shown }, way) : null;
  // The item of a past step is known when its states are.
  if (view && missing && (selected === null || shown)) {
    const record = await consentedRuns.lastInside({ run_id: view.run_id, ...missing });
    runSessionStore.getState().learn(view.run_id, { ...missing, record });
    return true;
  }
  const wanted = wantedRan(session, flow);
  const { ran } = ranInRoundStore.getState();
  if (!wanted) {
    if (ran) ranInRoundStore.setState({ ran: null });
    return false;
  }
  if (ran && JSON.stringify(ran.request) === JSON.stringify(wanted)) return false;
  const { tallies, agents } = await consentedRuns.ranBetween(wanted);
  ranInRoundStore.setState({ ran: { request: wanted, tallies, agents } });
  return true;
}

runSessionStore.subscribe((state, before) => {
  if (state.view !== before.view || state.selected !== before.selected || state.shown !== before.shown || state.round !== before.round)
    void keepUp();
});
runSubjectStore.subscribe(() => void keepUp());
