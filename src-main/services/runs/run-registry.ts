import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import type { RunStoreChannel } from '#main/journal/run-store-calls.ts';
import type { McpHolder } from '#main/mcp/access.ts';
import { shareServers } from '#main/mcp/shared-servers.ts';
import { copyFolder, type FolderCopy } from '#main/platform/files/copy-folder.ts';
import type { RunTelemetry } from '#main/runner/posted-telemetry.ts';
import type { RunThreads } from '#main/runner/run-threads.ts';
import type { StepMode } from '#main/runner/step-target.ts';
import type { DebugSettings, WorkerRequest } from '#main/runner/worker-messages.ts';
import { Feed, latestBy } from '#main/services/host/feed.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import type { TaskInput } from '#main/services/query-worker/protocol.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { RunDetail, RunSummary, RunTo } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import { consentedHosts } from './consented-hosts.ts';
import { aheadEvents, runEvents } from './event-stream.ts';
import { ExternalWrites } from './external-writes.ts';
import { type CallSlots, LiveRun } from './live-run.ts';
import { RunSlots } from './run-slots.ts';

/** Number of idle threads that are kept for the next command. */
const restingLimit = 3;

/** Number of short operations at once besides driven runs: starting, cancelling, previewing. */
const shortCalls = 2;

/**
 * How many runs are driven at once: one for each core, and two more, since some of them wait for a model or a program. Such a run keeps its slot; one that
 * is waiting for an answer, is idle or has ended has none.
 */
export const defaultRunSlots = availableParallelism() + 2;

export interface NewRun {
  /** Default: a new id. */
  readonly run_id?: string;
  readonly flow_path: string;
  readonly text: string;
  readonly input: Json;
  readonly models?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly run_id: string;
  readonly tool_id: string;
  readonly tool_call_id: string;
  readonly payload: Json;
  readonly then_continue: boolean;
}

/** How a folder's runs are driven. */
export interface RunningOptions {
  /** How many are driven at once. */
  readonly slots?: number;
  readonly folderOf?: RunFolders;
  /** Receives the operations of the runs. */
  readonly telemetry?: RunTelemetry;
  /** Opens a channel to the store of which the folder's journal is a working copy. Default: the journal is all there is. */
  readonly runStore?: RunStoreChannel | undefined;
  /** Threads that serve one run after the other. Default: a thread for each run. */
  readonly threads?: RunThreads;
}

/** Returns the folder in which a run is driven, by its id; null: that of its flow. */
export type RunFolders = (runId: string) => Promise<string | null>;

/** The runs of one folder: drives each in its own thread and publishes changes. */
export class RunRegistry {
  readonly #folder: string;
  readonly #queries: Background;
  readonly #mcp: McpHolder;
  readonly #changes = new Feed<RunSummary>();
  readonly #onChange: (summary: RunSummary) => void;
  readonly #debug: () => Promise<DebugSettings>;
  readonly #externalWrites: ExternalWrites;
  /** Runs that were driven or followed, least recently used first. */
  readonly #live = new Map<string, LiveRun>();
  readonly #slots: CallSlots;
  /** Runs of matrices that are driven to where they rest. */
  readonly #unattended = new Set<string>();
  /** Copies of the folder in which runs are driven. */
  readonly #copies = new Map<string, Promise<FolderCopy>>();

  readonly #folderOf: RunFolders;
  readonly #telemetry: RunTelemetry | undefined;
  readonly #runStore: RunStoreChannel | undefined;
  readonly #threads: RunThreads | undefined;

  constructor(
    folder: string,
    reading: Background,
    mcp: McpHolder,
    onChange: (summary: RunSummary) => void,
    debug: () => Promise<DebugSettings>,
    { slots: runSlots = defaultRunSlots, folderOf = async () => null, telemetry, runStore, threads }: RunningOptions = {},
  ) {
    this.#telemetry = telemetry;
    this.#runStore = runStore;
    this.#threads = threads;
    this.#folderOf = folderOf;
    this.#debug = debug;
    this.#slots = { driving: new RunSlots(runSlots), short: new RunSlots(shortCalls) };
    this.#folder = folder;
    this.#queries = reading;
    this.#mcp = mcp;
    this.#onChange = onChange;
    this.#externalWrites = new ExternalWrites(
      reading,
      () => this.#changes.hasReaders,
      (summary) => this.#publish(summary),
    );
  }

  /** Starts a run and leaves it paused before its first transition. */
  async start(run: NewRun): Promise<RunDetail> {
    return this.#publishDetail(await this.create(run));
  }

  /** Starts a run in the same way, without reading it back. Returns its id. */
  async create(run: NewRun): Promise<string> {
    const path = await this.#queries.call('journal');
    const live = this.#newRun(path);
    try {
      const { flow_path, text } = run;
      await live.ensureConsent(async () =>
        consentedHosts(await this.#queries.call('reachOfFlow', { path: flow_path, text, trusted: await this.#trusted() })),
      );
      const { run_id: runId } = await live.runBriefly((worker) => worker.start(run));
      this.#live.set(runId, live);
      return runId;
    } catch (error) {
      await live.close();
      throw error;
    } finally {
      this.#trim();
    }
  }

  /** Returns the newest runs with their status in this process. */
  async list(filter: TaskInput<'list'>): Promise<RunSummary[]> {
    return (await this.#queries.call('list', filter)).map((summary) => this.#withLive(summary));
  }

  async detail(runId: string): Promise<RunDetail> {
    return this.#withLive(await this.#queries.call('detail', { run_id: runId }));
  }

  step(runId: string, mode: 'into' | 'over' | 'out'): Promise<RunDetail> {
    return this.#withConsent(runId, async (live) => {
      await live.drive((worker) => worker.call({ type: 'step', mode }));
      return this.detail(runId);
    });
  }

  /** Replaces the breakpoints, pins and mocks of all runs in memory. */
  setDebug(debug: DebugSettings): void {
    for (const [runId, live] of this.#live) live.setDebug(this.#unattended.has(runId) ? { ...debug, breakpoints: [] } : debug);
  }

  /** Continues the run, to a place or as far as it goes; resolves once it runs or is queued. Rejects if it can't continue (it needs an answer or was cancelled). */
  continue(runId: string, to?: RunTo, maxSteps?: number): Promise<RunSummary> {
    return this.#withConsent(runId, async (live) => {
      if (live.queued) return this.#summary(runId);
      const { status } = await this.#queries.call('summary', { run_id: runId });
      const request = { type: 'continue', max_steps: maxSteps, ...(to && { until: [stopAtPlace(to)] }) } as const;
      if (status === 'paused' || status === 'error') await this.#startDriving(live, request);
      else await live.drive((worker) => worker.call(request));
      return this.#summary(runId);
    });
  }

  /** Drives a run that was created here and not driven yet; resolves once it runs or is queued. */
  begin(runId: string): Promise<void> {
    return this.#running(runId, async (live) => {
      await this.#ensureConsent(runId, live);
      const own = live.copy === null ? await this.#folderOf(runId) : null;
      if (own !== null) await live.runIn(own);
      await this.#startDriving(live, { type: 'continue' });
    });
  }

  /** Resolves once the run has started to be driven, or is queued. */
  #startDriving(live: LiveRun, request: Extract<WorkerRequest, { type: 'continue' }>): Promise<void> {
    const hasStarted = ({ type }: RunEvent) => type === 'init_stream';
    const done = () => this.#trim();
    return live.startUntil((worker) => worker.call(request), hasStarted, done, { orQueued: true });
  }

  /** Throws without the user's consent to what the run may do. */
  async assertConsented(runId: string): Promise<void> {
    await this.#running(runId, (live) => this.#ensureConsent(runId, live));
  }

  /** Continues a variant of a matrix without stopping at breakpoints, and resolves once it rests. Its copy of the folder is deleted when it has ended. */
  async driveVariant(runId: string): Promise<void> {
    this.#unattended.add(runId);
    try {
      await this.#withConsent(runId, async (live) => {
        await live.drive((worker) => worker.call({ type: 'continue' }));
        const { status } = await this.#queries.call('summary', { run_id: runId });
        if (status === 'suspended') return;
        await live.suspendWorker();
        await this.#deleteCopy(runId);
      });
    } finally {
      this.#unattended.delete(runId);
    }
  }

  /** Continues a run that is held inside a step. Throws `Conflict` if it isn't held. */
  async continueHeld(runId: string, mode: StepMode | 'continue'): Promise<RunSummary> {
    const live = this.#live.get(runId);
    const answer = live?.busy ? await live.worker.call({ type: 'continue_held', mode }) : null;
    if (!answer?.continued) throw new FlowError('Conflict', `Run ${runId} is not held at a breakpoint. Use step or continue.`);
    return this.#summary(runId);
  }

  /** Leaves the step in which a run is held, without making its call; the run pauses before it. Throws `Conflict` if it isn't held. */
  async leaveHold(runId: string): Promise<RunSummary> {
    const live = this.#live.get(runId);
    const answer = live?.busy ? await live.worker.call({ type: 'leave_hold' }) : null;
    if (!answer?.left) throw new FlowError('Conflict', `Run ${runId} is not held at a breakpoint.`);
    return this.#summary(runId);
  }

  /** Pauses after the current transition, or removes the run from the queue. */
  async pause(runId: string): Promise<RunSummary> {
    const live = this.#live.get(runId);
    if (live?.queued) live.leaveQueue();
    else if (live?.busy) await live.worker.call({ type: 'pause' });
    return this.#summary(runId);
  }

  /** Cancels the run permanently. Does nothing if it is already cancelled. */
  stop(runId: string): Promise<RunSummary> {
    return this.#running(runId, async (live) => {
      live.leaveQueue();
      const stopped = live.runBriefly((worker) => worker.stop()).finally(() => this.#mcp.forget(runId));
      const failure: unknown = await stopped.then(
        () => null,
        (error: unknown) => error,
      );
      const summary = await this.#summary(runId);
      if (failure && summary.status !== 'cancelled') throw failure;
      return summary;
    });
  }

  /** Answers a pending call. With `then_continue` it resolves once the answer is accepted, else when the run pauses. */
  resume({ run_id: runId, tool_id, tool_call_id, payload, then_continue }: Answer): Promise<RunDetail> {
    return this.#withConsent(runId, async (live) => {
      const request = { type: 'resume', tool_id, tool_call_id, payload, then_continue } as const;
      const answered = (event: RunEvent) => event.type === 'resumed' && event.tool_call_id === tool_call_id;
      // While the run is queued, its answer is not recorded yet, so the caller keeps it until then.
      if (then_continue)
        await live.startUntil(
          (worker) => worker.call(request),
          answered,
          () => this.#trim(),
        );
      else await live.drive((worker) => worker.call(request));
      return this.detail(runId);
    });
  }

  preview(runId: string, toolCallId: string, input: Json) {
    return this.#running(runId, (live) => live.runBriefly((worker) => worker.call({ type: 'preview', tool_call_id: toolCallId, input })));
  }

  /** Streams a run's events after a record, then live; with `followOthers` also those that other processes record. Throws `NotFound` at the first read. */
  async *events(
    runId: string,
    afterSeq: number,
    signal: AbortSignal | undefined,
    { followOthers = false } = {},
  ): AsyncGenerator<RunEvent, void> {
    const run = await this.#drivable(runId);
    yield* runEvents({ runId, afterSeq, reading: this.#queries, run, signal, followOthers });
  }

  /** Streams the events of steps that are made before their turn, from this call on. Throws `NotFound` at the first read. */
  async *ahead(runId: string, signal: AbortSignal | undefined): AsyncGenerator<AheadEvent, void> {
    const run = await this.#drivable(runId);
    yield* aheadEvents({ runId, reading: this.#queries, run, signal });
  }

  /** A run of the folder; null for one that can only be read. */
  #drivable(runId: string): Promise<LiveRun | null> {
    return this.#find(runId).catch((error: unknown) => {
      if (error instanceof FlowError && error.variant === 'Conflict') return null;
      throw error;
    });
  }

  /** Streams summaries from this call on as they change, including changes by other processes. */
  async changes(signal: AbortSignal | undefined): Promise<AsyncGenerator<RunSummary, void>> {
    const changes = this.#changes.read(
      signal,
      latestBy(({ run_id }) => run_id),
    );
    await this.#externalWrites.start();
    return changes;
  }

  /** Publishes a run that was created without being driven, or that entered or left the queue. */
  async announce(runId: string): Promise<void> {
    const summary = await this.#queries.call('summary', { run_id: runId });
    // What was read may be older than what its thread has published meanwhile, and more will follow.
    const live = this.#live.get(runId);
    if (!live?.busy || live.queued) this.#publish(summary);
  }

  async remove(runId: string): Promise<void> {
    const live = this.#live.get(runId);
    if (live && !live.busy) await live.suspendWorker();
    await this.#queries.call('remove', { run_id: runId });
    this.#mcp.forget(runId);
    await live?.close();
    await this.#deleteCopy(runId);
    this.#live.delete(runId);
  }

  /** Ends idle threads, so that the next command reloads settings and trust. */
  async renew(): Promise<void> {
    await Promise.all([...this.#live.values()].filter(({ busy }) => !busy).map((live) => live.suspendWorker()));
  }

  /** Handles a revoked permission: ends idle threads and pauses active runs before their next transition. */
  async revoke(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.revoke()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.close()));
    await Promise.all([...this.#copies.keys()].map((runId) => this.#deleteCopy(runId)));
    this.#externalWrites.end();
    this.#changes.end();
  }

  #newRun(journalPath: string, runId?: string): LiveRun {
    const onMcpPort = (port: MessagePort) => shareServers(port, this.#mcp);
    const live: LiveRun = new LiveRun({
      folder: this.#folder,
      journalPath,
      runId,
      slots: this.#slots,
      onChange: (summary) => this.#publish(summary),
      onQueue: () => void this.announce(live.worker.runId ?? runId ?? '').catch(() => undefined),
      onMcpPort,
      telemetry: this.#telemetry,
      runStore: this.#runStore,
      threads: this.#threads,
      debug: async () => {
        const debug = await this.#debug();
        return this.#unattended.has(runId ?? '') ? { ...debug, breakpoints: [] } : debug;
      },
    });
    return live;
  }

  /** Runs an operation on a run. Throws `NotFound`, and `Conflict` for a read-only run. */
  async #running<T>(runId: string, act: (live: LiveRun) => Promise<T>): Promise<T> {
    const live = await this.#find(runId);
    return live.using(() => act(live)).finally(() => this.#trim());
  }

  async #find(runId: string): Promise<LiveRun> {
    const path = this.#live.has(runId) ? '' : await this.#queries.call('journalOf', { run_id: runId });
    const live = this.#live.get(runId) ?? this.#newRun(path, runId);
    this.#live.delete(runId);
    this.#live.set(runId, live);
    return live;
  }

  /** The same for commands that execute the run, which need consent to its capabilities. */
  #withConsent<T>(runId: string, act: (live: LiveRun) => Promise<T>): Promise<T> {
    return this.#running(runId, async (live) => {
      await this.#ensureConsent(runId, live);
      await this.#prepareFolder(runId, live);
      return act(live);
    });
  }

  #ensureConsent(runId: string, live: LiveRun): Promise<void> {
    return live.ensureConsent(async () =>
      consentedHosts(await this.#queries.call('reachOfRun', { run_id: runId, trusted: await this.#trusted() })),
    );
  }

  /**
   * Gives a run a folder of its own if it has one. A variant of a matrix that may write files gets a copy of the folder. It has none after a restart: then it
   * continues in a new one.
   */
  async #prepareFolder(runId: string, live: LiveRun): Promise<void> {
    if (live.copy !== null) return;
    const own = await this.#folderOf(runId);
    if (own !== null) return live.runIn(own);
    const { forked_from } = await this.#queries.call('summary', { run_id: runId });
    if (!forked_from?.copy) return;
    const copy = this.#copies.get(runId) ?? copyFolder(this.#folder);
    this.#copies.set(runId, copy);
    await live.runIn((await copy).folder);
  }

  async #deleteCopy(runId: string): Promise<void> {
    const copy = this.#copies.get(runId);
    this.#copies.delete(runId);
    await this.#live.get(runId)?.runIn(null);
    await (await copy)?.[Symbol.asyncDispose]();
  }

  #trusted(): Promise<boolean> {
    return isTrusted(this.#folder);
  }

  /** Ends the longest idle threads beyond a few, and drops unused runs. */
  #trim(): void {
    const resting = [...this.#live].filter(([, live]) => !live.busy);
    for (const [runId, live] of resting.slice(0, -restingLimit)) {
      if (!live.used) this.#live.delete(runId);
      void live.suspendWorker();
    }
  }

  /** Whether a call of this process drives the run, or waits to. */
  drives(runId: string): boolean {
    return this.#live.get(runId)?.busy ?? false;
  }

  /** Number of runs in memory. */
  get size(): number {
    return this.#live.size;
  }

  /** Throws `NotFound`. */
  summary(runId: string): Promise<RunSummary> {
    return this.#summary(runId);
  }

  async #summary(runId: string): Promise<RunSummary> {
    return this.#withLive(await this.#queries.call('summary', { run_id: runId }));
  }

  /** Adds what the journal does not contain: that the run is queued, or why it is stopped. */
  #withLive<T extends RunSummary>(summary: T): T {
    const live = this.#live.get(summary.run_id);
    if (live?.queued) return { ...summary, status: 'queued' };
    const stop = live?.stopAfter(summary.seq);
    return stop && (summary.status !== 'running' || stop.point === 'hold') ? { ...summary, stop } : summary;
  }

  async #publishDetail(runId: string): Promise<RunDetail> {
    const detail = await this.#queries.call('detail', { run_id: runId });
    const { flow_text, input, output, timeline, current, agents, conversations, ...summary } = detail;
    this.#publish(summary);
    return detail;
  }

  #publish(summary: RunSummary): void {
    this.#externalWrites.note(summary);
    const shown = this.#withLive(summary);
    this.#changes.publish(shown);
    this.#onChange(shown);
  }
}

function stopAtPlace(to: RunTo): Breakpoint {
  return 'node' in to ? { id: 'here', kind: 'before', ...to } : { id: 'here', kind: 'state', on: 'written', ...to };
}
