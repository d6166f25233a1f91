import type { CommandRule } from '#main/engine/ports/context.ts';
import { journalOf, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import { RunInspector } from '#main/runner/run-inspector.ts';
import { RunWorkerClient } from '#main/runner/run-worker-client.ts';
import type { DebugSettings } from '#main/runner/worker-messages.ts';
import { makeFork, planFork } from '#main/time-travel/fork.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';

export interface DebuggedRunOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly journals: WorkspaceJournals;
  readonly allow_commands: readonly CommandRule[];
  readonly allow_hosts: readonly string[];
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

/** How long a run may take to pause before its thread is ended, in milliseconds. A step in progress is then done again by whoever continues. */
const patience = 2000;

/** A run that a client debugs, driven in its own thread. */
export class DebuggedRun {
  readonly #options: DebuggedRunOptions;
  readonly #worker: RunWorkerClient;
  readonly inspector: RunInspector;
  #driving: Promise<DriveResult> | null = null;

  private constructor(options: DebuggedRunOptions, worker: RunWorkerClient, inspector: RunInspector) {
    this.#options = options;
    this.#worker = worker;
    this.inspector = inspector;
  }

  /** Starts a run, paused before its first transition. */
  static async start(options: DebuggedRunOptions, flow: StartedFlow): Promise<DebuggedRun> {
    const { main } = options.journals;
    const worker = workerOf(options, main.path);
    try {
      const { run_id } = await worker.start(flow);
      return new DebuggedRun(options, worker, new RunInspector(main, run_id));
    } catch (error) {
      await worker.close();
      throw error;
    }
  }

  /** Opens a recorded run. Throws `NotFound`. */
  static async open(options: DebuggedRunOptions, runId: string): Promise<DebuggedRun> {
    const journal = journalOf(options.journals, runId);
    const worker = workerOf(options, journal.path);
    await worker.open(runId);
    return new DebuggedRun(options, worker, new RunInspector(journal, runId));
  }

  get isDriven(): boolean {
    return this.#driving !== null;
  }

  /** Drives the run until it stops. */
  async drive(act: (worker: RunWorkerClient) => Promise<DriveResult>): Promise<DriveResult> {
    this.#driving = act(this.#worker);
    try {
      return await this.#driving;
    } finally {
      this.#driving = null;
    }
  }

  step(mode: 'into' | 'over' | 'out'): Promise<DriveResult> {
    return this.drive((worker) => worker.call({ type: 'step', mode }));
  }

  /** `until`: further breakpoints, for this call only. */
  continue(until: readonly Breakpoint[] = []): Promise<DriveResult> {
    return this.drive((worker) => worker.call({ type: 'continue', until }));
  }

  /** Answers the question that waits first. Throws `FlowError` if none does. */
  async answer(payload: Json): Promise<DriveResult> {
    const { waiting } = this.inspector;
    if (!waiting) throw new FlowError('Invalid', 'Nothing waits for an answer.');
    const { tool_id, tool_call_id } = waiting;
    return this.drive((worker) => worker.call({ type: 'resume', tool_id, tool_call_id, payload, then_continue: false }));
  }

  /** Hands the run what it is debugged with now. */
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

  /** Leaves the run paused: a transition in progress may finish first, for a short time. */
  async close(): Promise<void> {
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

function workerOf(options: DebuggedRunOptions, journalPath: string): RunWorkerClient {
  const { folder, allow_commands, allow_hosts, debug, onEvent } = options;
  return new RunWorkerClient({
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
    onChange: () => undefined,
  });
}
