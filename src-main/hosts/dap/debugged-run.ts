import type { CommandRule } from '#main/engine/ports/context.ts';
import { journalOf, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import { RunInspector } from '#main/runner/run-inspector.ts';
import { RunWorkerClient } from '#main/runner/run-worker-client.ts';
import type { StepMode } from '#main/runner/step-target.ts';
import type { DebugSettings } from '#main/runner/worker-messages.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import type { Stop } from '#shared/run/stop.ts';

export interface DebuggedRunOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly journals: WorkspaceJournals;
  readonly allow_commands: readonly CommandRule[];
  readonly allow_hosts: readonly string[];
  readonly prices: Prices;
  /** Where the run stops, and what it is supplied with. */
  readonly debug: () => DebugSettings;
  readonly onEvent: (event: RunEvent) => void;
}

export interface StartedFlow {
  readonly flow_path: string;
  readonly text: string;
  readonly input: Json;
  readonly models: Readonly<Record<string, string>>;
}

/** How long a run may take to pause before its thread is terminated, in milliseconds. A step in progress then starts over when the run is continued. */
const patience = 2000;

/** A run that a client debugs, driven in its own thread. */
export class DebuggedRun {
  readonly #options: DebuggedRunOptions;
  readonly #worker: RunWorkerClient;
  readonly inspector: RunInspector;
  readonly #holds: Holds;
  #driving: Promise<DriveResult> | null = null;

  private constructor(options: DebuggedRunOptions, { worker, holds }: HeldWorker, inspector: RunInspector) {
    this.#options = options;
    this.#worker = worker;
    this.#holds = holds;
    this.inspector = inspector;
  }

  /** Starts a run, paused before its first transition. */
  static async start(options: DebuggedRunOptions, flow: StartedFlow): Promise<DebuggedRun> {
    const { main } = options.journals;
    const thread = workerOf(options, main.path);
    try {
      const { run_id } = await thread.worker.start(flow);
      return new DebuggedRun(options, thread, new RunInspector(main, run_id, options.prices));
    } catch (error) {
      await thread.worker.close();
      throw error;
    }
  }

  /** Opens a recorded run. Throws `NotFound`. */
  static async open(options: DebuggedRunOptions, runId: string): Promise<DebuggedRun> {
    const journal = journalOf(options.journals, runId);
    const thread = workerOf(options, journal.path);
    await thread.worker.open(runId);
    return new DebuggedRun(options, thread, new RunInspector(journal, runId, options.prices));
  }

  /** Whether the run is in progress: not stopped, and not held inside a step. */
  get isDriven(): boolean {
    return this.#driving !== null && this.#holds.stop === null;
  }

  /** Where the run is held inside a step; null if it isn't. */
  get held(): Stop | null {
    return this.#holds.stop;
  }

  step(mode: StepMode): Promise<DriveResult | Stop> {
    return this.#drive(mode, (worker) => worker.call({ type: 'step', mode }));
  }

  /** `until`: further breakpoints, for this call only. */
  continue(until: readonly Breakpoint[] = []): Promise<DriveResult | Stop> {
    return this.#drive('continue', (worker) => worker.call({ type: 'continue', until }));
  }

  /** Answers the question that waits first. Throws `FlowError` if none does. */
  async answer(payload: Json): Promise<DriveResult | Stop> {
    const { waiting } = this.inspector;
    if (!waiting || this.held) throw new FlowError('Invalid', 'Nothing waits for an answer.');
    const { tool_id, tool_call_id } = waiting;
    return this.#drive('continue', (worker) => worker.call({ type: 'resume', tool_id, tool_call_id, payload, then_continue: false }));
  }

  /** Drives the run until it stops or is held inside a step. After a hold, which it returns, the next call continues the same step. */
  async #drive(mode: StepMode | 'continue', act: (worker: RunWorkerClient) => Promise<DriveResult>): Promise<DriveResult | Stop> {
    const held = this.#holds.next();
    if (this.#driving) await this.#worker.call({ type: 'continue_held', mode });
    else {
      const driving = act(this.#worker).finally(() => {
        this.#driving = null;
        this.#holds.clear();
      });
      // A failure while the run is held is reported by the next call.
      driving.catch(() => undefined);
      this.#driving = driving;
    }
    return Promise.race([this.#driving, held]);
  }

  /** Sends the current breakpoints, pins and mocks to the run. */
  refresh(): void {
    this.#worker.setDebug(this.#options.debug());
  }

  /** Stops after the current transition. */
  async pause(): Promise<void> {
    if (this.isDriven) await this.#worker.call({ type: 'pause' });
  }

  /** Cancels the run permanently. Does nothing to one that has ended. */
  async cancel(): Promise<void> {
    const { status } = this.inspector.row;
    if (status === 'success' || status === 'cancelled') return;
    await this.#worker.stop();
  }

  /** Creates a fork at a record. The run stays as it is. */
  async fork(seq: number): Promise<DebuggedRun> {
    const { folder, journals } = this.#options;
    const { journal, runId } = this.inspector;
    const request = { run_id: runId, seq, states: [], drop: [], flow: 'recorded' as const };
    const forked = makeFork(journals.main, await planFork(journal, request, await historyOptions(folder)), uuidV7(), Date.now());
    return DebuggedRun.open(this.#options, forked);
  }

  /** Leaves the run paused: a transition in progress may finish first, for a short time. A transition in which the run is held starts over when it is continued. */
  async close(): Promise<void> {
    if (this.held) await this.#worker.call({ type: 'leave_hold' }).catch(() => undefined);
    const driving = this.#driving;
    if (driving) {
      const settled = driving.then(
        () => undefined,
        () => undefined,
      );
      const late = new Promise<void>((resolve) => setTimeout(resolve, patience).unref());
      await this.pause().catch(() => undefined);
      await Promise.race([settled, late]);
    }
    await this.#worker.close();
  }
}

/** A run's thread, and where it is held. */
interface HeldWorker {
  readonly worker: RunWorkerClient;
  readonly holds: Holds;
}

/** Where a run is held inside a step, as its thread reports it. */
class Holds {
  #stop: Stop | null = null;
  #report: (stop: Stop) => void = () => undefined;

  get stop(): Stop | null {
    return this.#stop;
  }

  /** Ends the current hold. Resolves with the next one. */
  next(): Promise<Stop> {
    this.#stop = null;
    return new Promise((resolve) => {
      this.#report = resolve;
    });
  }

  clear(): void {
    this.#stop = null;
  }

  readonly onChange = ({ stop }: RunSummary): void => {
    if (stop?.point !== 'hold') return;
    this.#stop = stop;
    this.#report(stop);
  };
}

function workerOf(options: DebuggedRunOptions, journalPath: string): HeldWorker {
  const holds = new Holds();
  const { folder, allow_commands, allow_hosts, debug, onEvent } = options;
  const worker = new RunWorkerClient({
    folder,
    journal_path: journalPath,
    // As for `pravah run`: the user has named the flow.
    consented: true,
    allow_commands,
    allow_hosts,
    get debug() {
      return debug();
    },
    onEvents: (events) => {
      for (const event of events) onEvent(event);
    },
    onChange: holds.onChange,
  });
  return { worker, holds };
}
