import type { MessagePort } from 'node:worker_threads';
import type { RunStoreChannel } from '#main/journal/run-store-calls.ts';
import type { RunTelemetry } from '#main/runner/posted-telemetry.ts';
import type { RunThreads } from '#main/runner/run-threads.ts';
import { RunWorkerClient } from '#main/runner/run-worker-client.ts';
import type { DebugSettings } from '#main/runner/worker-messages.ts';
import { Feed } from '#main/services/host/feed.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import type { RunStatus, RunSummary } from '#shared/contract/runs.ts';
import { FlowError, toTransferable } from '#shared/run/error.ts';
import { errorEvent } from '#shared/run/error-event.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import type { Stop } from '#shared/run/stop.ts';
import { endsRun, isRecorded } from './event-stream.ts';
import { RecordsOfOthers } from './records-of-others.ts';
import type { ReleaseSlot, RunSlots } from './run-slots.ts';

/** Number of events buffered for a reader that connects during a step that is not recorded yet. */
const retainedLimit = 1000;

/** What a run rests in when no command goes on with it. */
const ended: ReadonlySet<RunStatus> = new Set(['success', 'error', 'cancelled']);

/** Limits shared by the runs of a folder: runs driven at once, and short operations beside them. */
export interface CallSlots {
  readonly driving: RunSlots;
  readonly short: RunSlots;
}

export interface LiveRunOptions {
  readonly slots: CallSlots;
  /** The run entered or left the queue. */
  readonly onQueue: () => void;
  /** Real path of the workspace. */
  readonly folder: string;
  /** The journal that contains the run, or will. */
  readonly journalPath: string;
  /** Id of a recorded run, whose thread is created lazily. Absent for a run that is about to start. */
  readonly runId?: string;
  readonly onChange: (summary: RunSummary) => void;
  /** Returns what the run is debugged with at first. */
  readonly debug: () => Promise<DebugSettings>;
  /** Receives the run's operations. */
  readonly telemetry?: RunTelemetry | undefined;
  /** See `RunWorkerClientOptions`. */
  readonly onMcpPort: (port: MessagePort) => void;
  readonly runStore: RunStoreChannel | undefined;
  /** See `RunWorkerClientOptions`. With it, a run that has ended lets its thread go at once. */
  readonly threads: RunThreads | undefined;
}

/** A run with its thread and its live events. */
export class LiveRun {
  readonly worker: RunWorkerClient;
  readonly events = new Feed<RunEvent>();
  /** Events of steps that are made before their turn. */
  readonly ahead = new Feed<AheadEvent>();
  readonly #slots: CallSlots;
  readonly #onQueue: () => void;
  /** Number of users besides calls: readers, and callers about to call. */
  #users = 0;
  /** Queued calls. */
  readonly #queue = new Set<AbortController>();
  /** The slot that driving calls share, and their number. */
  #slot: { readonly release: ReleaseSlot; calls: number } | null = null;
  #retained: RunEvent[] = [];
  /** The last record whose events this process has made. */
  #lastSeq = 0;
  #others: RecordsOfOthers | undefined;
  #calls = 0;
  /** Settles when the last start has started. */
  #lastStart: Promise<void> = Promise.resolve();
  #toOpen: string | undefined;
  /** Hosts that the user has consented to; null until checked. */
  #hosts: readonly string[] | null = null;
  #consenting: Promise<void> | null = null;
  /** Whether the thread was created with revoked permissions and ends as soon as it is idle. */
  #outdated = false;
  /** Whether the run has ended, so that another one may have its thread as soon as it is idle. */
  #letsGo = false;

  /** Where and why the run is stopped, after which record. */
  #stop: { readonly seq: number; readonly stop: Stop } | null = null;
  readonly #findDebug: () => Promise<DebugSettings>;
  #copy: string | null = null;
  #debug: DebugSettings = { breakpoints: [], supplied: [] };

  constructor({
    folder,
    journalPath,
    runId,
    onChange,
    onMcpPort,
    runStore,
    slots: lanes,
    onQueue,
    debug,
    telemetry,
    threads,
  }: LiveRunOptions) {
    this.#findDebug = debug;
    const firstDebug = () => this.#debug;
    this.#slots = lanes;
    this.#onQueue = onQueue;
    this.#toOpen = runId;
    const hosts = () => this.#hosts ?? [];
    const copy = () => this.#copy;
    this.worker = new RunWorkerClient({
      // Read when the thread is created, like the next ones.
      get folder() {
        return copy() ?? folder;
      },
      get copy_of() {
        return copy() === null ? null : folder;
      },
      journal_path: journalPath,
      // Trusting a folder is consent to what its settings allow; nothing else is.
      consented: false,
      allow_commands: [],
      // Read when the thread is created.
      get allow_hosts() {
        return hosts();
      },
      get debug() {
        return firstDebug();
      },
      onEvents: (events) => {
        for (const event of events) this.#emit(event);
      },
      onAhead: (event) => this.ahead.publish(event),
      onChange: (summary) => {
        this.#stop = summary.stop ? { seq: summary.seq, stop: summary.stop } : null;
        this.#letsGo = threads !== undefined && ended.has(summary.status);
        onChange(summary);
      },
      onMcpPort,
      telemetry,
      runStore,
      threads,
    });
  }

  /** The copy of the folder in which the run is driven; null: the folder itself. */
  get copy(): string | null {
    return this.#copy;
  }

  /** Drives the run in a copy of the folder from the next thread on, or in the folder itself. */
  async runIn(copy: string | null): Promise<void> {
    await this.worker.close();
    this.#copy = copy;
  }

  /** Replaces the breakpoints, pins and mocks, also while the run is driven. */
  setDebug(debug: DebugSettings): void {
    this.#debug = debug;
    this.worker.setDebug(debug);
  }

  /** Returns why the run is stopped after this record; null if it is driven, has ended, or was moved by another process. */
  stopAfter(seq: number): Stop | null {
    return this.#stop?.seq === seq ? this.#stop.stop : null;
  }

  /** Whether a call is in progress. */
  get busy(): boolean {
    return this.#calls > 0;
  }

  /** Whether the run is waiting for a slot. */
  get queued(): boolean {
    return this.#queue.size > 0;
  }

  /** Whether it is in use. */
  get used(): boolean {
    return this.busy || this.#users > 0 || this.events.hasReaders || this.ahead.hasReaders;
  }

  /** Keeps the run in memory while `act` runs. */
  async using<T>(act: () => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await act();
    } finally {
      this.#users -= 1;
    }
  }

  /** Removes the run from the queue. Its queued calls reject. */
  leaveQueue(): void {
    const left = new FlowError('Cancelled', 'The run was removed from the queue before it started. Nothing was changed.');
    for (const waiting of this.#queue) waiting.abort(left);
  }

  /** Publishes what other processes record of the run after this record, as long as it has readers. */
  followOthers(runId: string, seq: number, reading: Pick<Background, 'call'>): void {
    const followed = {
      busy: () => this.busy,
      hasReaders: () => this.events.hasReaders,
      lastSeq: () => this.#lastSeq,
      publish: (event: RunEvent) => this.events.publish(event),
    };
    this.#others ??= new RecordsOfOthers(runId, followed, reading);
    this.#others.followFrom(seq);
  }

  /** Events of the newest steps, oldest first. */
  get retained(): readonly RunEvent[] {
    return this.#retained;
  }

  /**
   * Checks the user's consent to the run's capabilities under the current settings. A thread keeps the settings of its
   * creation, so this is checked once per thread. `find` returns the hosts or throws.
   */
  async ensureConsent(find: () => Promise<readonly string[]>): Promise<void> {
    if (this.#hosts) return;
    this.#consenting ??= this.#applyConsent(find).finally(() => {
      this.#consenting = null;
    });
    await this.#consenting;
  }

  async #applyConsent(find: () => Promise<readonly string[]>): Promise<void> {
    const hosts = await find();
    // A thread created only for viewing has no access to hosts.
    await this.worker.close();
    this.#hosts = hosts;
  }

  /** Drives the run once a slot is free, and waits until it stops. */
  async drive<T>(act: (worker: RunWorkerClient) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      const release = await this.#turn();
      try {
        return await this.#withWorker(act);
      } finally {
        release();
      }
    } finally {
      await this.#onCallEnd();
    }
  }

  /** Runs a short operation on the thread, such as starting or cancelling, without waiting for a run slot. */
  async runBriefly<T>(act: (worker: RunWorkerClient) => Promise<T>): Promise<T> {
    this.#calls += 1;
    const { short } = this.#slots;
    try {
      const release = short.tryTake() ?? (await short.take(new AbortController().signal));
      try {
        return await this.#withWorker(act);
      } finally {
        release();
      }
    } finally {
      await this.#onCallEnd();
    }
  }

  async #withWorker<T>(act: (worker: RunWorkerClient) => Promise<T>): Promise<T> {
    this.#debug = await this.#findDebug();
    if (this.#toOpen !== undefined) await this.#open(this.#toOpen);
    return act(this.worker);
  }

  async #onCallEnd(): Promise<void> {
    this.#calls -= 1;
    if (this.busy) return;
    if (this.#outdated) await this.suspendWorker();
    else if (this.#letsGo) await this.#letWorkerGo();
  }

  /** Resolves when the run has a slot. Calls of one run share a slot: the executor itself refuses a second call. */
  async #turn(): Promise<ReleaseSlot> {
    const { driving } = this.#slots;
    if (!this.#slot) {
      const release = driving.tryTake() ?? (await this.#queued((signal) => driving.take(signal)));
      if (this.#slot) release();
      else this.#slot = { release, calls: 0 };
    }
    const slot = this.#slot;
    slot.calls += 1;
    return () => {
      slot.calls -= 1;
      if (slot.calls > 0) return;
      this.#slot = null;
      slot.release();
    };
  }

  async #queued(take: (signal: AbortSignal) => Promise<ReleaseSlot>): Promise<ReleaseSlot> {
    const waiting = new AbortController();
    this.#queue.add(waiting);
    this.#onQueue();
    try {
      return await take(waiting.signal);
    } finally {
      this.#queue.delete(waiting);
      if (waiting.signal.aborted) this.#onQueue();
    }
  }

  /**
   * Starts a long operation. Resolves when `hasStarted` matches one of its events or it has ended; rejects if it
   * was refused before that. Later failures are emitted as events. `whenDone` is called at the end. Starts are serialized:
   * of two answers to one question, the second would otherwise match the first's event. With `orQueued` it also resolves when
   * the run is queued.
   */
  startUntil(
    act: (worker: RunWorkerClient) => Promise<unknown>,
    hasStarted: (event: RunEvent) => boolean,
    whenDone: () => void,
    { orQueued = false } = {},
  ): Promise<void> {
    const begins = this.#lastStart.then(() => this.#startUntil(act, hasStarted, whenDone, orQueued));
    this.#lastStart = begins.catch(() => undefined);
    return begins;
  }

  async #startUntil(
    act: (worker: RunWorkerClient) => Promise<unknown>,
    hasStarted: (event: RunEvent) => boolean,
    whenDone: () => void,
    orQueued: boolean,
  ): Promise<void> {
    const abort = new AbortController();
    const seen = this.#seen(hasStarted, abort.signal);
    let goesOn = false;
    const done = this.drive(act).then(
      () => undefined,
      (thrown: unknown) => {
        if (!goesOn) throw thrown;
        // The caller that removed the run from the queue already knows.
        if (!(orQueued && thrown instanceof FlowError && thrown.variant === 'Cancelled')) this.#emitFailure(thrown);
      },
    );
    const finished = done.finally(whenDone);
    try {
      if (orQueued && this.queued) {
        goesOn = true;
        return;
      }
      await Promise.race([finished, seen]);
      goesOn = true;
    } finally {
      abort.abort();
      finished.catch(() => undefined);
    }
  }

  /** Ends the thread; the next command creates a new one with current settings and trust. Event readers stay connected. */
  async suspendWorker(): Promise<void> {
    this.#retained = [];
    this.#hosts = null;
    this.#outdated = false;
    await this.worker.close();
  }

  /** Lets an ended run's thread go to another run. */
  async #letWorkerGo(): Promise<void> {
    this.#retained = [];
    this.#hosts = null;
    this.#letsGo = false;
    await this.worker.letGo();
  }

  /** Ends the thread now, or after the current transition. */
  async revoke(): Promise<void> {
    this.leaveQueue();
    if (!this.busy) return this.suspendWorker();
    this.#outdated = true;
    // It may have ended in the meantime and needs no pause.
    await this.worker.call({ type: 'pause' }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.leaveQueue();
    await this.suspendWorker();
    this.events.end();
    this.ahead.end();
  }

  async #open(runId: string): Promise<void> {
    await this.worker.open(runId);
    this.#toOpen = undefined;
  }

  async #seen(hasStarted: (event: RunEvent) => boolean, signal: AbortSignal): Promise<void> {
    for await (const event of this.events.read(signal)) if (hasStarted(event)) return;
    // No event matched: the call's result decides.
    await new Promise(() => undefined);
  }

  #emit(event: RunEvent): void {
    this.#others?.beforeOwn(event);
    // A step that failed has no record, so that another process may make it.
    if (isRecorded(event.type) || event.type === 'end_stream') this.#lastSeq = event.seq;
    this.#retained.push(event);
    if (this.#retained.length > 2 * retainedLimit) this.#retained = this.#retained.slice(-retainedLimit);
    this.events.publish(event);
    if (endsRun(event)) this.ahead.end();
  }

  #emitFailure(thrown: unknown): void {
    const runId = this.worker.runId ?? '';
    this.#emit({
      run_id: runId,
      seq: this.#retained.at(-1)?.seq ?? 0,
      timestamp: Date.now(),
      ...errorEvent(toTransferable(thrown), null),
    });
  }
}
