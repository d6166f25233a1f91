import { readableFailure } from '#main/debug/readable-failure.ts';
import { RunStoreCalls } from '#main/journal/run-store-calls.ts';
import { SharedServers } from '#main/mcp/shared-servers.ts';
import type { TraceContext } from '#main/platform/trace-context.ts';
import { openFlow, openFlowText } from '#main/workspace/open-flow.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import { FlowError } from '#shared/run/error.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import { BodyClock } from './body-clock.ts';
import { EventBatch } from './event-batch.ts';
import { type PostedOperation, PostedTelemetry } from './posted-telemetry.ts';
import { createRunEnvironment, type RunEnvironment } from './run-environment.ts';
import { type ExecutorOptions, RunExecutor } from './run-executor.ts';
import { summaryOf } from './run-views.ts';
import type { ThreadJournal } from './thread-journal.ts';
import type { DebugSettings, RunWorkerData, WorkerAnswers, WorkerRequest, WorkerRequestType } from './worker-messages.ts';

/** Receives what happens in a run's thread. */
export interface ExecutorListener {
  readonly onEvents: (events: readonly RunEvent[]) => void;
  /** Receives the events of steps that are made before their turn. */
  readonly onAhead?: ((event: AheadEvent) => void) | undefined;
  readonly onChange: (summary: RunSummary) => void;
}

/** Receives what happens in a run's thread, inside of it. */
interface WorkerListener extends ExecutorListener {
  readonly onOperation: (operation: PostedOperation) => void;
}

/** Requests that make transitions. */
const drivingRequests: ReadonlySet<WorkerRequestType> = new Set(['step', 'continue', 'resume']);

type Perform = { readonly [T in WorkerRequestType]: (request: Extract<WorkerRequest, { type: T }>) => Promise<WorkerAnswers[T]> };

/** One run inside its own thread: handles requests, emits events and changes. Independent of the thread API. */
export class RunWorker {
  readonly #data: RunWorkerData;
  readonly #listener: ExecutorListener;
  readonly #telemetry: PostedTelemetry | undefined;
  readonly #events: EventBatch;
  readonly #environment: RunEnvironment;
  readonly #options: ExecutorOptions;
  #executor: RunExecutor | undefined;
  #debug: DebugSettings;
  /** The first record whose events may have been lost with the thread before this one. */
  #lostFrom: number | undefined;
  readonly #store: RunStoreCalls | undefined;
  readonly #journals: ThreadJournal;

  private constructor(data: RunWorkerData, listener: WorkerListener, environment: RunEnvironment, journals: ThreadJournal) {
    this.#journals = journals;
    this.#data = data;
    this.#debug = data.debug;
    this.#listener = listener;
    this.#environment = environment;
    this.#events = new EventBatch(listener.onEvents);
    this.#telemetry = data.telemetry ? new PostedTelemetry(data.telemetry.content, listener.onOperation) : undefined;
    const stop = new Int32Array(data.stop);
    // Called frequently while a body computes.
    const stopRequested = () => {
      this.#events.flushDue();
      return Atomics.load(stop, 0) !== 0;
    };
    this.#store = data.run_store ? new RunStoreCalls(data.run_store) : undefined;
    this.#options = {
      ...environment.executorOptions,
      journal: journals.open(data.journal_path, this.#store),
      context: { ...environment.context, stopRequested, ...(this.#telemetry && { telemetry: this.#telemetry }) },
      bodies: new BodyClock(data.bodies, data.overrun),
      token: data.token,
      ...(data.take_over !== null && { takeOver: data.take_over }),
      onEvent: (event) => this.#emit(event),
      onAhead: listener.onAhead,
      onRefused: () => this.#emitChange(),
      onHold: () => this.#emitChange(),
    };
  }

  static async create(data: RunWorkerData, listener: WorkerListener, journals: ThreadJournal): Promise<RunWorker> {
    const { folder, copy_of, consented, allow_commands, allow_hosts, mcp } = data;
    const sharedServers = mcp ? new SharedServers(mcp) : undefined;
    const trusted = await isTrusted(copy_of ?? folder);
    const options = { folder, trusted, consented, allow_commands, allow_hosts, sharedServers };
    return new RunWorker(data, listener, await createRunEnvironment(options), journals);
  }

  /** Handles a request, which belongs to a trace. Throws `FlowError`. */
  perform<T extends WorkerRequestType>(request: Extract<WorkerRequest, { type: T }>, trace?: TraceContext): Promise<WorkerAnswers[T]> {
    if (this.#telemetry && drivingRequests.has(request.type)) this.#telemetry.parent = trace;
    const perform = this.#performers[request.type] as (request: WorkerRequest) => Promise<WorkerAnswers[T]>;
    return perform(request);
  }

  async close(): Promise<void> {
    this.#events.flush();
    this.#executor?.close();
    this.#journals.release();
    this.#store?.close();
    await this.#environment[Symbol.asyncDispose]();
  }

  readonly #performers: Perform = {
    start: async ({ run_id, flow_path, text, input, models }) => {
      const { trusted, settings } = this.#environment;
      const options = { folder: this.#data.folder, trusted, settings };
      // A flow in code and a workflow are always read from their files.
      const loaded = isReadOnlyFlow(flow_path) ? await openFlow(flow_path, options) : await openFlowText(text, flow_path, options);
      if (!loaded.graph) {
        const problems = loaded.problems.filter(({ severity }) => severity === 'error');
        const [what, them] = problems.length === 1 ? ['1 error', 'it'] : [`${problems.length} errors`, 'them'];
        throw new FlowError('Invalid', `The flow has ${what}. Fix ${them} to run the flow.`, {
          details: { problems: [...loaded.problems] },
        });
      }
      this.#executor = RunExecutor.start(
        { ...this.#options, ...this.#debug },
        {
          run_id,
          graph: loaded.graph,
          flow_path,
          flow_text: loaded.text,
          sources: loaded.sources,
          input,
          models,
        },
      );
      this.#emitChange();
      return { run_id: this.#executor.runId };
    },
    open: async ({ run_id: runId }) => {
      this.#executor = RunExecutor.open({ ...this.#options, ...this.#debug }, runId);
      if (this.#data.overrun.length > 0) this.#lostFrom = this.#options.journal.row(runId).last_seq + 1;
      return { run_id: runId };
    },
    step: async ({ mode }) => this.#run().step(mode),
    continue: async ({ max_steps, until }) => this.#run().continue(max_steps, until),
    debug: async ({ breakpoints, supplied }) => {
      this.#debug = { breakpoints, supplied };
      this.#executor?.setBreakpoints(breakpoints);
      this.#executor?.setSupplied(supplied);
      return null;
    },
    resume: async ({ tool_id, payload, tool_call_id, then_continue }) =>
      this.#run().resume(tool_id, payload, { tool_call_id, then_continue }),
    continue_held: async ({ mode }) => ({ continued: this.#run().continueHeld(mode) }),
    leave_hold: async () => ({ left: await this.#run().leaveHold() }),
    cancel: async () => this.#run().cancel(),
    pause: async () => {
      this.#run().pause();
      return null;
    },
    preview: async ({ tool_call_id, input }) => this.#run().preview(tool_call_id, input),
  };

  #run(): RunExecutor {
    if (!this.#executor) throw new FlowError('NotFound', 'No run has been started or opened in this thread.');
    return this.#executor;
  }

  #emit(event: RunEvent): void {
    this.#events.add(this.#readable(event));
    if (event.type === 'end_stream' && this.#lostFrom !== undefined) {
      const { run_id, seq, timestamp } = event;
      this.#events.add({ type: 'gap', run_id, seq, timestamp, from: this.#lostFrom, to: seq });
      this.#lostFrom = undefined;
    }
    if (event.type === 'init_stream' || event.type === 'end_stream') this.#emitChange();
  }

  /** Failures are shown with titles in the place of ids; the record keeps the ids. */
  #readable(event: RunEvent): RunEvent {
    if ((event.type !== 'error' && event.type !== 'end_stream') || !event.error) return event;
    const { journal } = this.#options;
    return { ...event, error: readableFailure(journal.graphOf(journal.row(event.run_id)), event.error) };
  }

  /** Emits pending events before the change that they led to. */
  #emitChange(): void {
    this.#events.flush();
    const { journal, context } = this.#options;
    if (!this.#executor) return;
    const { runId, stop } = this.#executor;
    this.#listener.onChange({ ...summaryOf(journal, journal.row(runId), context.clock.now()), ...(stop && { stop }) });
  }
}
