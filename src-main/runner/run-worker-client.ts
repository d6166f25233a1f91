import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { RunStoreChannel } from '#main/journal/run-store-calls.ts';
import { activeTrace } from '#main/platform/trace-context.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import { type BodyPlace, BodyWatchdog, bodyCells } from './body-clock.ts';
import type { DriveResult } from './drive-result.ts';
import type { RunTelemetry } from './posted-telemetry.ts';
import { type RunThreads, startRunThread } from './run-threads.ts';
import type { ExecutorListener } from './run-worker.ts';
import type {
  DebugSettings,
  RunWorkerData,
  ThreadMessage,
  WorkerAnswers,
  WorkerCall,
  WorkerMessage,
  WorkerRequest,
  WorkerRequestType,
} from './worker-messages.ts';

/** How long a run may take to stop before its thread is terminated, in milliseconds. */
const patience = 1000;

export type RunWorkerClientOptions = Pick<RunWorkerData, 'folder' | 'journal_path' | 'consented' | 'allow_commands' | 'allow_hosts'> &
  Partial<Pick<RunWorkerData, 'debug' | 'copy_of'>> &
  ExecutorListener & {
    /** Receives one end of a channel to shared MCP servers. If absent, the run starts its own. */
    readonly onMcpPort?: (port: MessagePort) => void;
    /** Receives the run's operations. If absent, it reports none. */
    readonly telemetry?: RunTelemetry | undefined;
    /** Opens a channel to the store of which the journal is a working copy; absent: the journal is all there is. */
    readonly runStore?: RunStoreChannel | undefined;
    /** Threads that serve one run after the other. If absent, the run's thread ends with it. */
    readonly threads?: RunThreads | undefined;
  };

interface Pending {
  readonly request: WorkerRequest;
  readonly resolve: (answer: WorkerAnswers[WorkerRequestType]) => void;
  readonly reject: (error: Error) => void;
}

/** The client of a run that executes in its own thread, so that it never delays the thread that serves windows. */
export class RunWorkerClient {
  readonly #options: RunWorkerClientOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  /** Bodies for which threads were terminated during requests that are still pending. */
  #overrun: BodyPlace[] = [];
  #restarting: Promise<void> | undefined;
  #worker: Worker | undefined;
  #watchdog: BodyWatchdog | undefined;
  #token: string | null = null;
  #runId: string | undefined;
  #nextId = 1;

  constructor(options: RunWorkerClientOptions) {
    this.#options = options;
  }

  /** The run, once it has been started or opened. */
  get runId(): string | undefined {
    return this.#runId;
  }

  /** Starts a run from a flow's text and leaves it paused before its first transition. */
  start(run: Omit<Extract<WorkerRequest, { type: 'start' }>, 'type'>): Promise<{ readonly run_id: string }> {
    return this.#remember(this.#call({ type: 'start', ...run }));
  }

  /** Opens a recorded run. */
  open(runId: string): Promise<{ readonly run_id: string }> {
    return this.#remember(this.#call({ type: 'open', run_id: runId }));
  }

  /** Sends a request to the run. A dead thread is first recreated from the journal. Rejects with `FlowError`. */
  async call<T extends Exclude<WorkerRequestType, 'start' | 'open'>>(
    request: Extract<WorkerRequest, { type: T }>,
  ): Promise<WorkerAnswers[T]> {
    if (this.#runId === undefined) throw new FlowError('NotFound', 'No run has been started or opened in this thread.');
    await this.#restarting;
    if (!this.#worker) await this.open(this.#runId);
    return this.#call(request);
  }

  /** Replaces the breakpoints, pins and mocks of a thread that is there; one that is created later starts with those of the options. */
  setDebug(debug: DebugSettings): void {
    // A thread that has just ended needs none.
    if (this.#worker) this.#call({ type: 'debug', ...debug }).catch(() => undefined);
  }

  /**
   * Cancels the run permanently, also inside an endless computation: if it does not yield within a second, its thread is
   * terminated and the run is recorded as cancelled. Pending requests reject with `Cancelled`.
   */
  async stop(): Promise<DriveResult> {
    Atomics.store(this.#stop, 0, 1);
    const obeyed = this.call({ type: 'cancel' });
    const late = new AbortController();
    const timeout = wait(patience, null, { signal: late.signal }).catch(() => null);
    try {
      const stop = await Promise.race([obeyed, timeout]);
      if (stop) return stop;
      obeyed.catch(() => undefined);
      await this.#end(new FlowError('Cancelled', 'The run was stopped during a transition.'));
      return await this.call({ type: 'cancel' });
    } finally {
      late.abort();
    }
  }

  /** Terminates the thread; the recorded run is unchanged. A transition in progress is abandoned. */
  async close(): Promise<void> {
    await this.#restarting;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise<void>((done) => worker.once('exit', () => done()));
    worker.postMessage('close');
    const late = new AbortController();
    await Promise.race([exited, wait(patience, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    await this.#end(new FlowError('Cancelled', 'The studio is closing.'));
  }

  /** Lets the thread go to another run if nothing is pending. A call that comes meanwhile gets a thread of its own. */
  async letGo(): Promise<void> {
    const { threads } = this.#options;
    const worker = this.#worker;
    if (!worker || this.#pending.size > 0 || this.#restarting) return;
    // A cancelled run may have left a computation behind.
    if (!threads || this.#stopping) return this.close();
    this.#worker = undefined;
    this.#watchdog?.end();
    const left = new Promise<boolean>((done) => {
      worker.on('message', (news: WorkerMessage) => news.type === 'left' && done(true));
      worker.once('exit', () => done(false));
    });
    worker.postMessage('leave' satisfies ThreadMessage);
    const late = new AbortController();
    const hasLeft = await Promise.race([left, wait(patience, false, { signal: late.signal }).catch(() => false)]);
    late.abort();
    if (hasLeft) threads.give(worker);
    else await worker.terminate();
  }

  async #remember(opened: Promise<{ readonly run_id: string }>): Promise<{ readonly run_id: string }> {
    const { run_id: runId } = await opened;
    this.#runId = runId;
    return { run_id: runId };
  }

  #call<T extends WorkerRequestType>(request: Extract<WorkerRequest, { type: T }>): Promise<WorkerAnswers[T]> {
    const worker = this.#running();
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { request, resolve: resolve as Pending['resolve'], reject });
      const trace = this.#options.telemetry && activeTrace();
      worker.postMessage({ id, request, ...(trace && { trace }) } satisfies WorkerCall);
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const { onEvents, onAhead, onChange, onMcpPort, telemetry, runStore, threads, ...data } = this.#options;
    const mcp = onMcpPort ? new MessageChannel() : null;
    if (mcp) onMcpPort?.(mcp.port1);
    const token = randomUUID();
    const bodies = bodyCells();
    const workerData: RunWorkerData = {
      ...data,
      copy_of: data.copy_of ?? null,
      debug: data.debug ?? { breakpoints: [], supplied: [] },
      token,
      take_over: this.#token,
      mcp: mcp?.port2 ?? null,
      run_store: runStore?.() ?? null,
      stop: this.#stop.buffer as SharedArrayBuffer,
      bodies,
      overrun: this.#overrun,
      telemetry: telemetry ? { content: telemetry.content } : null,
    };
    this.#token = token;
    const worker = threads ? threads.take(workerData) : startRunThread(workerData);
    worker.on('message', (news: WorkerMessage) => {
      if (news.type === 'events') onEvents(news.events);
      else if (news.type === 'ahead') onAhead?.(news.event);
      else if (news.type === 'operation') telemetry?.onOperation(news.operation);
      else if (news.type === 'changed') onChange(news.summary);
      else if (news.type !== 'left') this.#settle(news);
    });
    worker.on('error', (error) => this.#died(worker, error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => this.#died(worker, `it ended with code ${code}`));
    this.#worker = worker;
    this.#watchdog?.end();
    this.#watchdog = new BodyWatchdog(bodies, worker, (body) => {
      if (this.#worker !== worker || this.#runId === undefined || this.#stopping) return;
      this.#restarting = this.#restart(worker, this.#runId, body).finally(() => {
        this.#restarting = undefined;
      });
    });
    return worker;
  }

  /**
   * Terminates the thread for a body that exceeded its deadline, and repeats the pending requests in a new one: unrecorded pure steps are
   * computed again, and when the run reaches the body, it fails like an interrupted one.
   */
  async #restart(worker: Worker, runId: string, body: BodyPlace): Promise<void> {
    this.#worker = undefined;
    this.#overrun = [...this.#overrun, body];
    await worker.terminate();
    const pending = [...this.#pending];
    const opened = this.open(runId);
    for (const [id, { request }] of pending) this.#running().postMessage({ id, request } satisfies WorkerCall);
    await opened.catch((error: Error) => this.#rejectAll(error));
  }

  get #stopping(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  #settle(news: Extract<WorkerMessage, { type: 'answer' | 'failure' }>): void {
    const pending = this.#pending.get(news.id);
    this.#pending.delete(news.id);
    if (news.type === 'failure' || !('run_id' in (news.answer ?? {}))) this.#overrun = [];
    if (news.type === 'answer') pending?.resolve(news.answer);
    else pending?.reject(fromTransferable(news.error));
  }

  #died(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#watchdog?.end();
    this.#rejectAll(
      new FlowError(
        'HandlerError',
        `The thread of this run failed: ${reason}. The run is saved up to its last step. Continue it from there.`,
      ),
    );
  }

  async #end(reason: FlowError): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#watchdog?.end();
    await worker?.terminate();
    this.#rejectAll(reason);
  }

  #rejectAll(reason: Error): void {
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
  }
}
