import { createStore, type StoreApi } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { follow } from '#renderer/api/follow.ts';
import type { Studio } from '#renderer/api/studio.ts';
import type { RunDetail, RunSummary, StateAt } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import { foldAhead } from './ahead-fold.ts';
import { foldDetail, foldEvents, foldSummary, type KnownRecord, type RunView, rewindLines, viewOf } from './run-fold.ts';
import type { RunSubject } from './run-subject.ts';

export type RunsApi = Studio['runs'];
export type StepMode = 'into' | 'over' | 'out';

/** What follows a start: the run continues at once, or pauses before its first step. */
export type StartPace = 'continue' | 'pause';

export interface NewRun {
  readonly flow_path: string;
  readonly text: string;
  readonly input: Json;
  /** Model URLs that replace those of the flow's agents in this run, by node. */
  readonly models?: Readonly<Record<string, string>>;
  readonly pace: StartPace;
}

/** The answer to a question. */
export interface Answer {
  readonly tool_id: string;
  readonly tool_call_id: string;
  readonly payload: Json;
}

/** A round of a loop, or an item of an `each` node, that the user has chosen: while one of its steps is shown, only what happened in it is counted. */
export interface ChosenRound {
  readonly kind: 'round' | 'item';
  /** The node whose rounds or items these are, by its id in the run. */
  readonly node: string;
  /** From 1. */
  readonly index: number;
  readonly from_seq: number;
  readonly to_seq: number;
}

export interface RunSessionState {
  /** The shown run, or null. */
  readonly view: RunView | null;
  /** The running command. Meanwhile no other is sent, except `pause` and `stop`. */
  readonly call: 'open' | 'start' | 'step' | 'continue' | 'answer' | null;
  readonly pausing: boolean;
  readonly stopping: boolean;
  /** The failure of the last command. */
  readonly failure: TransferableError | null;
  /** The selected step; null follows the run. */
  readonly selected: number | null;
  /** The round that the selected step was chosen with, or null. */
  readonly round: ChosenRound | null;
  /** State map of the selected step, once it has loaded. */
  readonly shown: StateAt | null;
  /** How the user drives the run, and how it continues after an answer. */
  readonly drive: 'step' | 'continue';
  /** The last step that the user asked for; null after other commands. */
  readonly mode: StepMode | null;
  /** Starts a run and shows it. A failure, also that another command is in progress (`Conflict`), is in `failure`. */
  start(run: NewRun): Promise<void>;
  open(run_id: string): Promise<void>;
  /**
   * Shows the run that `prepare` makes in place of the shown one. Until it is there no command is sent, so that the shown run stays where it is. Answers
   * false, and changes nothing, if `prepare` resolves to null or another command is in progress. Throws what `prepare` throws.
   */
  replace(prepare: () => Promise<string | null>): Promise<boolean>;
  close(): void;
  /** The canvas shows this flow now: keeps the shown run if the flow is part of it, else restores the flow's last shown run. */
  focusFlow(flow: Pick<RunSubject, 'path' | 'within'>): void;
  step(mode: StepMode): Promise<void>;
  continue(): Promise<void>;
  /** Continues a run that is held inside a step, as far as `mode` says. */
  continueHeld(mode: StepMode | 'continue'): Promise<void>;
  pause(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves to null when the answer was accepted, else to the failure. */
  answer(answer: Answer): Promise<TransferableError | null>;
  /** Shows a step. With a round, that round is chosen; without, the chosen one stays if the step is in it. */
  select(seq: number | null, round?: ChosenRound): void;
  /** Chooses no round any more; the shown step stays. */
  leaveRound(): void;
  /** Adds what has been read of a run's records besides its rows. */
  learn(run_id: string, known: KnownRecord): void;
  /** Receives the summary of any run in the folder; ignores other runs than the shown one. */
  onSummary(summary: RunSummary): void;
  dismissFailure(): void;
}

const busy = 'No run was started: another command of the debugger is in progress. Try again when it has ended.';

/** The number of last steps whose output lines load when a run is opened. */
const stepsWithLines = 2000;
const keptStates = 200;
const keptRecords = 100;
/** Pause before reloading a run whose snapshot on disk is older than the view, in milliseconds. */
const rereadPause = 50;

const withState = (view: RunView, state: StateAt | null): RunView =>
  state !== null && state.seq > view.current.seq ? { ...view, current: state } : view;

/** The debugger's session: shows one run, follows its events, and drives it. `schedule` runs a flush of events soon, with the page's next frame. */
export function createRunSession(runs: RunsApi, schedule: (flush: () => void) => void): StoreApi<RunSessionState> {
  const states = new Map<number, StateAt>();
  const lastShown = new Map<string, string>();
  let unfollow = () => {};
  let queue: RunEvent[] = [];
  let aheadQueue: AheadEvent[] = [];
  let flushing = false;
  let reading = false;
  let wanted: number | null = null;
  /** A state map that has been loaded while events wait to be applied. */
  let read: StateAt | null = null;
  let readingState = false;

  const store = createStore<RunSessionState>()((set, get) => {
    const changeView = (change: (view: RunView) => RunView) => {
      const { view } = get();
      if (!view) return;
      const next = change(view);
      // A run that goes on leaves the chosen round.
      const left = get().selected === null && next.seq > (get().round?.to_seq ?? next.seq);
      if (next !== view) set({ view: next, ...(left && { round: null }) });
      keepUp();
    };

    /** Reloads what the events did not carry: the run when it is stale, the state map when it lags behind. */
    const keepUp = () => {
      const { view, selected } = get();
      if (!view) return;
      if (view.stale) void reread(view.run_id);
      else if (selected === null && view.current.seq !== view.seq) readState(view.seq);
    };

    const reread = async (run_id: string) => {
      if (reading) return;
      reading = true;
      try {
        const detail = await runs.get({ run_id });
        reading = false;
        const { view } = get();
        const next = view && foldDetail(view, detail);
        // The snapshot is older than the view: the newer one is being written, so reload in a moment.
        if (view?.stale && next === view) setTimeout(keepUp, rereadPause);
        else if (next) changeView(() => next);
      } catch (thrown) {
        reading = false;
        if (get().view?.run_id === run_id) set({ failure: failureOf(thrown) });
      }
    };

    const readState = (seq: number) => {
      wanted = seq;
      if (!readingState) void readWantedStates();
    };

    /** One load at a time; of the requests meanwhile, only the last. */
    const readWantedStates = async () => {
      readingState = true;
      while (wanted !== null) {
        const seq: number = wanted;
        wanted = null;
        const run_id = get().view?.run_id;
        if (run_id === undefined) break;
        try {
          const state = await runs.stateAt({ run_id, seq });
          if (get().view?.run_id === run_id) takeState(state);
        } catch (thrown) {
          // While following, the next event tries again: a step may be shown a moment before it is on disk.
          if (get().view?.run_id === run_id && get().selected === seq) set({ failure: failureOf(thrown) });
        }
      }
      readingState = false;
    };

    const takeState = (state: StateAt) => {
      states.set(state.seq, state);
      if (states.size > keptStates) states.delete(states.keys().next().value as number);
      if (get().selected === state.seq) set({ shown: state });
      // With the next events, if there are some: each change of the view renders everything that shows the run.
      if (flushing) read = state;
      else changeView((view) => withState(view, state));
    };

    const flush = () => {
      flushing = false;
      const [events, ahead, state] = [queue, aheadQueue, read];
      queue = [];
      aheadQueue = [];
      read = null;
      changeView((view) => withState(foldAhead(foldEvents(view, events), ahead), state));
    };

    const followRun = (run_id: string, first: number) => {
      unfollow();
      queue = [];
      read = null;
      aheadQueue = [];
      const flushSoon = () => {
        if (flushing) return;
        flushing = true;
        schedule(flush);
      };
      let after_seq = first;
      const unfollowEvents = follow({
        subscribe: (signal) => {
          changeView((view) => rewindLines(view, after_seq));
          return runs.events({ run_id, after_seq }, { signal });
        },
        onItem: (event) => {
          queue.push(event);
          flushSoon();
        },
        onBreak: () => {
          flush();
          after_seq = get().view?.seq ?? after_seq;
          return true;
        },
      });
      const unfollowAhead = follow({
        subscribe: (signal) => runs.ahead({ run_id }, { signal }),
        onItem: (event) => {
          aheadQueue.push(event);
          flushSoon();
        },
      });
      unfollow = () => {
        unfollowEvents();
        unfollowAhead();
      };
    };

    const show = (detail: RunDetail) => {
      states.clear();
      wanted = null;
      lastShown.set(detail.flow_path, detail.run_id);
      set({ view: viewOf(detail), selected: null, round: null, shown: null });
      followRun(detail.run_id, Math.max(0, detail.seq - stepsWithLines));
    };

    /** Sends one command, unless one is running; a second click does nothing. */
    const command = async (call: NonNullable<RunSessionState['call']>, send: () => Promise<void>): Promise<TransferableError | null> => {
      if (get().call) return null;
      set({ call, failure: null });
      try {
        await send();
        return null;
      } catch (thrown) {
        return failureOf(thrown);
      } finally {
        set({ call: null });
      }
    };

    const orShow = (failure: TransferableError | null) => {
      if (failure) set({ failure });
    };

    const shownRun = () => get().view?.run_id;

    return {
      view: null,
      call: null,
      pausing: false,
      stopping: false,
      failure: null,
      selected: null,
      round: null,
      shown: null,
      drive: 'step',
      mode: null,

      start: async ({ pace, ...run }) => {
        // A second click does nothing. Beside any other command, the form that asked has to say that nothing was started.
        const { call } = get();
        if (call === 'start') return;
        if (call) return set({ failure: toTransferable(new FlowError('Conflict', busy)) });
        const failure = await command('start', async () => {
          show(await runs.start(run));
          set({ drive: pace === 'continue' ? 'continue' : 'step' });
        });
        if (failure) set({ failure });
        else if (pace === 'continue') await get().continue();
      },

      open: async (run_id) => {
        if (shownRun() === run_id) return;
        orShow(
          await command('open', async () => {
            show(await runs.get({ run_id }));
            set({ drive: 'continue' });
          }),
        );
      },

      replace: async (prepare) => {
        let replaced = false;
        let failed: { readonly thrown: unknown } | null = null;
        await command('open', async () => {
          try {
            const run_id = await prepare();
            if (run_id === null) return;
            show(await runs.get({ run_id }));
            replaced = true;
          } catch (thrown) {
            failed = { thrown };
          }
        });
        // Set in the command above, which the compiler does not see.
        const failure = failed as { readonly thrown: unknown } | null;
        if (failure) throw failure.thrown;
        return replaced;
      },

      close: () => {
        unfollow();
        states.clear();
        queue = [];
        read = null;
        aheadQueue = [];
        set({ view: null, selected: null, round: null, shown: null, failure: null });
      },

      focusFlow: ({ path, within = [] }) => {
        const shown = get().view?.flow_path;
        if (shown === path || get().call || within.some(({ flow }) => flow.path === shown)) return;
        get().close();
        const run_id = lastShown.get(path);
        if (run_id !== undefined) void get().open(run_id);
      },

      step: async (mode) => {
        const run_id = shownRun();
        if (run_id === undefined) return;
        orShow(
          await command('step', async () => {
            set({ drive: 'step', mode, selected: null, round: null, shown: null });
            const detail = await runs.step({ run_id, mode });
            changeView((view) => foldDetail(view, detail));
          }),
        );
      },

      continue: async () => {
        const run_id = shownRun();
        if (run_id === undefined) return;
        orShow(
          await command('continue', async () => {
            set({ drive: 'continue', mode: null, selected: null, round: null, shown: null });
            const summary = await runs.continue({ run_id });
            changeView((view) => foldSummary(view, summary));
          }),
        );
      },

      continueHeld: async (mode) => {
        const run_id = shownRun();
        if (run_id === undefined) return;
        try {
          const summary = await runs.continueHeld({ run_id, mode });
          set(mode === 'continue' ? { drive: 'continue', mode: null } : { drive: 'step', mode });
          changeView((view) => foldSummary(view, summary));
        } catch (thrown) {
          set({ failure: failureOf(thrown) });
        }
      },

      pause: async () => {
        const run_id = shownRun();
        if (run_id === undefined || get().pausing) return;
        set({ pausing: true });
        try {
          const summary = await runs.pause({ run_id });
          set({ drive: 'step' });
          changeView((view) => foldSummary(view, summary));
        } catch (thrown) {
          set({ failure: failureOf(thrown) });
        } finally {
          set({ pausing: false });
        }
      },

      stop: async () => {
        const run_id = shownRun();
        if (run_id === undefined || get().stopping) return;
        set({ stopping: true });
        try {
          const summary = await runs.stop({ run_id });
          changeView((view) => ({ ...foldSummary(view, summary), stale: true }));
        } catch (thrown) {
          set({ failure: failureOf(thrown) });
        } finally {
          set({ stopping: false });
        }
      },

      answer: async (answer) => {
        const run_id = shownRun();
        if (run_id === undefined) return null;
        const failure = await command('answer', async () => {
          set({ selected: null, round: null, shown: null });
          const detail = await runs.resume({ run_id, ...answer, then_continue: get().drive === 'continue' });
          changeView((view) => foldDetail(view, detail));
        });
        if (failure) await reread(run_id);
        return failure;
      },

      select: (seq, chosen) => {
        const { view, round: before } = get();
        if (!view) return;
        const at = seq === null || seq >= view.seq ? null : Math.max(0, seq);
        const round = chosen ?? (seq !== null && before && seq >= before.from_seq && seq <= before.to_seq ? before : null);
        set({ selected: at, round, shown: at === null ? null : (states.get(at) ?? null) });
        if (at !== null && !states.has(at)) readState(at);
        if (at === null) keepUp();
      },

      leaveRound: () => set({ round: null }),

      learn: (run_id, known) =>
        changeView((view) => (view.run_id === run_id ? { ...view, known: [known, ...view.known.slice(0, keptRecords - 1)] } : view)),

      onSummary: (summary) => changeView((view) => foldSummary(view, summary)),
      dismissFailure: () => set({ failure: null }),
    };
  });
  return store;
}
