import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { EffectOutcome } from '#main/engine/ports/recorder.ts';
import type { ResumeOptions } from '#main/engine/step/runtime-options.ts';
import { Journal } from '#main/journal/journal.ts';
import { JournalConversations } from '#main/journal/journal-conversations.ts';
import { acquireLease, heartbeatInterval, releaseLease, renewLease } from '#main/journal/lease.ts';
import { type RunRow, readModels } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { RunEnding } from '#main/journal/run-recorder.ts';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { cancelled, isRefusal, restingStatus, statusAfter } from '#main/runner/drive-result.ts';
import { beginRun, type LoadedRun, type LoadOptions, loadRun } from '#main/runner/loaded-run.ts';
import { Run } from '#main/sdk/run/run.ts';
import type { Redaction, ReplayReport, WholeComparison } from '#shared/contract/time-travel.ts';
import type { FlowGraph, NamedState, NodeBody, TypedFlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { MaskRule } from '#shared/mask-text.ts';
import { type FlowError, toTransferable } from '#shared/run/error.ts';
import type { EndStatus } from '#shared/run/event.ts';
import type { History } from '#shared/run/message.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import type { RunConversations } from './run-conversations.ts';

/** A file that records runs of code-first flows. Effects are on disk before they start and before their results are used. */
export class RunJournal {
  readonly #journal: Journal;
  readonly #open = new Set<RecordedRun<unknown>>();

  private constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Opens or creates the file. Throws `FlowError` if it is corrupt, not a journal, or cannot be written. */
  static open(path: string): RunJournal {
    return new RunJournal(Journal.open(path));
  }

  /** Starts a run, as `flow.start` does. Throws `DeserializeError` if the input violates the schema of the input state. */
  start<Input, Output>(flow: TypedFlowGraph<Input, Output>, input: NoInfer<Input>, ctx: Context): Run<Output>;
  /** Starts a run that takes its context with each transition. */
  start<Input, Output>(flow: TypedFlowGraph<Input, Output>, input: NoInfer<Input>): RecordedRun<Output>;
  start<Input, Output>(flow: TypedFlowGraph<Input, Output>, input: NoInfer<Input>, ctx?: Context): Run<Output> | RecordedRun<Output> {
    const run = this.#started(flow, input);
    return ctx ? new Run(run, ctx) : run;
  }

  #started<Input, Output>(flow: TypedFlowGraph<Input, Output>, input: NoInfer<Input>): RecordedRun<Output> {
    const snapshot = FlowRuntime.new(flow, input, { run_id: uuidV7() }).snapshot();
    const newRun = { flow_path: '', flow_text: '', graph: writable(flow), input: input as Json, snapshot, created_at: Date.now() };
    return this.#opened<Output>(flow, snapshot.run_id, (options) => beginRun(this.#journal, newRun, options));
  }

  /** Opens a recorded run after its last record. Throws `NotFound`, and `SnapLoadError` if the flow has changed. */
  open<Output>(flow: TypedFlowGraph<unknown, Output>, runId: string, ctx: Context): Run<Output>;
  open<Output>(flow: TypedFlowGraph<unknown, Output>, runId: string): RecordedRun<Output>;
  open<Output>(flow: TypedFlowGraph<unknown, Output>, runId: string, ctx?: Context): Run<Output> | RecordedRun<Output> {
    const run = this.#reopened(flow, runId);
    return ctx ? new Run(run, ctx) : run;
  }

  #reopened<Output>(flow: TypedFlowGraph<unknown, Output>, runId: string): RecordedRun<Output> {
    return this.#opened<Output>(flow, runId, (options) => loadRun(this.#journal, this.#journal.row(runId), options));
  }

  #opened<Output>(flow: TypedFlowGraph<unknown, Output>, runId: string, load: (options: LoadOptions) => LoadedRun): RecordedRun<Output> {
    const run = RecordedRun.of<Output>({ journal: this.#journal, flow, runId, load, closed: () => this.#open.delete(run) });
    this.#open.add(run);
    return run;
  }

  /** The waiting states after record `seq` of a run (0: at the start). Throws `NotFound`. */
  stateAt(runId: string, seq: number): readonly NamedState[] {
    return new RunReader(this.#journal, this.#journal.row(runId)).snapshotAt(seq).states;
  }

  /**
   * Forks a run after record `seq`, with the same or a newer flow, optionally changing, adding or removing states. Throws `SnapLoadError` with
   * everything that does not match (`details.misfits`) without creating a run.
   */
  async fork<Output>(
    flow: TypedFlowGraph<unknown, Output>,
    runId: string,
    seq: number,
    edits: { readonly states?: readonly NamedState[]; readonly drop?: readonly string[] } = {},
  ): Promise<RecordedRun<Output>> {
    const { makeFork, planForkOf } = await import('#main/time-travel/fork.ts');
    const journal = this.#journal;
    const row = journal.row(runId);
    const reader = new RunReader(journal, row);
    const { run, check } = planForkOf({
      request: { run_id: runId, seq, states: [...(edits.states ?? [])], drop: [...(edits.drop ?? [])], flow: 'current' },
      flow: { graph: flow, flow_path: row.flow_path, flow_text: journal.flowTextOf(row), sources: journal.sourcesOf(row) },
      parent: journal.graphOf(row),
      folded: reader.foldAt(seq),
      history: reader.history(seq),
      run: { input: journal.inputOf(row), models: readModels(row.models, journal.path), engine: row.engine },
    });
    return this.open(flow, makeFork(journal, { check, run: { ...run, graph: writable(flow) } }, uuidV7(), Date.now()));
  }

  /** The conversations of the scope `workspace` that its runs keep. */
  get conversations(): RunConversations {
    return new JournalConversations(this.#journal);
  }

  /** Replays a run with this flow from its recorded effects and returns the first difference. Calls no model, tool or effect of a handler. */
  async replay(flow: TypedFlowGraph<unknown, unknown>, runId: string): Promise<ReplayReport> {
    const { replayWith } = await import('#main/time-travel/replay.ts');
    return replayWith(this.#journal, runId, flow);
  }

  /** Compares two runs record by record. */
  async compare(runId: string, otherId: string): Promise<WholeComparison> {
    const { compareRuns } = await import('#main/time-travel/compare.ts');
    return compareRuns({ journal: this.#journal, runId }, { journal: this.#journal, runId: otherId });
  }

  /** Exports a run as a capsule: the text of a file, with these secrets, the redacted paths and what the rules of `mask` match masked. */
  async exportRun(
    runId: string,
    options: {
      readonly redact?: Partial<Redaction>;
      readonly secrets?: Readonly<Record<string, string>>;
      readonly mask?: readonly MaskRule[];
    } = {},
  ): Promise<string> {
    const [{ makeCapsule }, { capsuleText }] = await Promise.all([
      import('#main/capsule/make-capsule.ts'),
      import('#main/capsule/capsule-text.ts'),
    ]);
    const redaction = { places: [], texts: [], ...options.redact, rules: options.mask ?? [] };
    return capsuleText(makeCapsule(this.#journal, runId, redaction, new Map(Object.entries(options.secrets ?? {}))));
  }

  /** Ids of the newest runs, newest first. */
  runs(limit = 100): string[] {
    return this.#journal.rows({ limit }).map(({ run_id }) => run_id);
  }

  /** Closes all open runs and the file. */
  close(): void {
    for (const run of this.#open) run.close();
    this.#journal.close();
  }
}

/** A run opened by its journal. */
interface OpenedRun {
  readonly journal: Journal;
  readonly flow: FlowGraph;
  readonly runId: string;
  readonly load: (options: LoadOptions) => LoadedRun;
  readonly closed: () => void;
}

/** A recorded run. It holds the run's lease from its first transition until it ends, waits, fails or is closed. */
export class RecordedRun<Output> {
  readonly run_id: string;
  readonly #journal: Journal;
  readonly #flow: FlowGraph;
  readonly #token = uuidV7();
  readonly #unsaved = new Map<string, EffectOutcome>();
  readonly #closed: () => void;
  #loaded: LoadedRun;
  #held: { readonly row: RunRow; readonly heartbeat: NodeJS.Timeout } | undefined;
  #lost: FlowError | undefined;

  /** @internal A run is opened by its journal. */
  static of<Output>(opened: OpenedRun): RecordedRun<Output> {
    return new RecordedRun<Output>(opened);
  }

  private constructor({ journal, flow, runId, load, closed }: OpenedRun) {
    this.run_id = runId;
    this.#journal = journal;
    this.#flow = flow;
    this.#closed = closed;
    this.#loaded = load(this.#loadOptions);
  }

  /** Makes one transition; see `FlowRuntime.next`. */
  next(ctx: Context): Promise<RunOutcome<Output>> {
    return this.#driven((runtime) => runtime.next(ctx));
  }

  /** Makes transitions until the run ends or waits; see `FlowRuntime.toEnd`. */
  toEnd(ctx: Context): Promise<RunOutcome<Output>> {
    return this.#driven((runtime) => runtime.toEnd(ctx));
  }

  /** Answers a suspension; see `FlowRuntime.resume`. */
  resume(ctx: Context, toolId: string, payload: Json, options?: ResumeOptions): Promise<RunOutcome<Output>> {
    return this.#driven((runtime) => runtime.resume(ctx, toolId, payload, options));
  }

  /** See `FlowRuntime.workAhead`. */
  workAhead(ctx: Context): void {
    if (!this.#held) this.#hold();
    this.#loaded.runtime.workAhead(ctx);
  }

  /** See `FlowRuntime.stopAhead`. */
  stopAhead(): Promise<void> {
    return this.#loaded.runtime.stopAhead();
  }

  /** Writes pending records and releases the lease, as `paused`. The next transition acquires it again. */
  rest(): void {
    this.#loaded.runtime.rest();
    if (this.#held) this.#recordEnd('paused');
  }

  /** Replays the run with its flow from its recorded effects; see `RunJournal.replay`. */
  async replay(): Promise<ReplayReport> {
    this.rest();
    const { replayWith } = await import('#main/time-travel/replay.ts');
    return replayWith(this.#journal, this.run_id, this.#flow);
  }

  /** Records that the run was cancelled: it cannot continue. */
  cancel(): void {
    if (!this.#held) this.#hold();
    this.#recordEnd('cancelled');
  }

  snapshot(): Snapshot {
    return this.#loaded.runtime.snapshot();
  }

  history(): History {
    return this.#loaded.runtime.history();
  }

  /** Writes pending records and releases the lease. The run can be opened again, here or elsewhere. */
  close(): void {
    this.rest();
    this.#loaded.recorder.close();
    this.#loaded.runtime.dispose();
    this.#closed();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #driven(act: (runtime: FlowRuntime) => Promise<RunOutcome>): Promise<RunOutcome<Output>> {
    if (!this.#held) this.#hold();
    if (this.#lost) throw this.#lost;
    const { runtime, recorder } = this.#loaded;
    const seq = recorder.seq;
    try {
      const outcome = await act(runtime);
      if (outcome.type !== 'continue') this.#recordEnd(statusAfter(outcome), outcome.type === 'done' ? { output: outcome.output } : {});
      return outcome as RunOutcome<Output>;
    } catch (error) {
      if (isRefusal(error, recorder.seq > seq)) this.#releaseUnchanged();
      else this.#recordEnd('error', { failure: { error: toTransferable(error), events: [] } });
      throw error;
    }
  }

  /** Acquires the lease, and rereads the run if another process has advanced it. */
  #hold(): void {
    const journal = this.#journal;
    const row = journal.writing(() => {
      const found = journal.row(this.run_id);
      if (found.status === 'cancelled') throw cancelled(this.run_id);
      acquireLease(journal.database, found.run, this.#token, Date.now());
      if (found.status !== 'success') journal.setStatus(found, 'running', Date.now());
      return found;
    });
    this.#held = { row, heartbeat: setInterval(() => this.#beat(row.run), heartbeatInterval).unref() };
    this.#lost = undefined;
    const { seq, attempt } = this.#loaded.recorder;
    if (seq !== row.last_seq || attempt !== row.attempt) this.#loaded = this.#load(row);
  }

  #load(row: RunRow): LoadedRun {
    return loadRun(this.#journal, row, this.#loadOptions);
  }

  get #loadOptions(): LoadOptions {
    const onCancel = () => {
      this.#lost = cancelled(this.run_id);
    };
    return { token: this.#token, unsaved: this.#unsaved, now: Date.now, onCancel, graph: this.#flow };
  }

  #recordEnd(status: EndStatus, ending: Omit<RunEnding, 'status'> = {}): void {
    this.#loaded.recorder.end({ status, ...ending });
    this.#release();
  }

  #releaseUnchanged(): void {
    const { row } = this.#held ?? {};
    this.#release();
    if (!row) return;
    this.#journal.writing(() => {
      if (releaseLease(this.#journal.database, row.run, this.#token)) this.#journal.setStatus(row, restingStatus(row), Date.now());
    });
  }

  #release(): void {
    clearInterval(this.#held?.heartbeat);
    this.#held = undefined;
  }

  #beat(run: number): void {
    try {
      if (renewLease(this.#journal.database, run, this.#token, Date.now()).cancel) this.#lost = cancelled(this.run_id);
    } catch {
      // The journal is locked: the next heartbeat or record will report it.
    }
  }
}

/** Converts the graph to JSON, with functions as source for display. */
function writable(graph: FlowGraph): FlowGraph {
  const tools = Object.entries(graph.flow_tools ?? {}).map(([name, flow]) => [name, writable(flow)]);
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, body: writableBody(node.body) })),
    ...(graph.flow_tools && { flow_tools: Object.fromEntries(tools) }),
  };
}

function writableBody(body: NodeBody): NodeBody {
  if (body.type === 'function') return { ...body, call: String(body.call) as never };
  if (body.type === 'each') return { ...body, flow: writable(body.flow) };
  return body;
}
