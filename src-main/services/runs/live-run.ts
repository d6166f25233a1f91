import type { MessagePort } from 'node:worker_threads';
import { RunThread } from '#main/driver/run-thread.ts';
import { Feed } from '#main/services/feed.ts';
import type { ReleaseSlot, RunSlots } from '#main/services/runs/run-slots.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { FlowError, toTransferable } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

/** Events kept for a reader who comes in the middle of a step, which is not on record yet. */
const retainedLimit = 1000;

/** What the runs of a folder share: how many may be driven at once, and how many may do something short beside them. */
export interface Lanes {
  readonly driving: RunSlots;
  readonly short: RunSlots;
}

export interface LiveRunOptions {
  readonly lanes: Lanes;
  /** The run has begun to wait for its turn, or waits no more. */
  readonly onQueue: () => void;
  /** Real path of the workspace. */
  readonly folder: string;
  /** The journal that holds the run, or will. */
  readonly journalPath: string;
  /** A run that is on record; its thread is made when it is first needed. Absent for one that is about to start. */
  readonly runId?: string;
  readonly onChange: (summary: RunSummary) => void;
  /** See `RunThreadOptions`. */
  readonly onMcpPort: (port: MessagePort) => void;
}

/** A run with its thread: what happens in it, as it happens. */
export class LiveRun {
  readonly thread: RunThread;
  readonly events = new Feed<RunEvent>();
  readonly #lanes: Lanes;
  readonly #onQueue: () => void;
  /** How often the run is in use, beside calls: somebody reads it, or is about to call. */
  #users = 0;
  /** Calls that wait for their turn. */
  readonly #queue = new Set<AbortController>();
  /** The slot that driving calls share, and how many they are. */
  #slot: { readonly release: ReleaseSlot; calls: number } | null = null;
  #retained: RunEvent[] = [];
  #calls = 0;
  /** Settles when the last thing that was begun has begun. */
  #beginning: Promise<void> = Promise.resolve();
  #toOpen: string | undefined;
  /** Hosts of what the user has agreed to; null until that has been looked at. */
  #hosts: readonly string[] | null = null;
  #agreeing: Promise<void> | null = null;
  /** Whether the thread was made with what is allowed no more, and ends as soon as it rests. */
  #outdated = false;

  constructor({ folder, journalPath, runId, onChange, onMcpPort, lanes, onQueue }: LiveRunOptions) {
    this.#lanes = lanes;
    this.#onQueue = onQueue;
    this.#toOpen = runId;
    const hosts = () => this.#hosts ?? [];
    this.thread = new RunThread({
      folder,
      journal_path: journalPath,
      // A person who trusts the folder has agreed to what its settings allow; nobody else has.
      consented: false,
      allow_commands: [],
      // Read when the thread is made.
      get allow_hosts() {
        return hosts();
      },
      onEvents: (events) => {
        for (const event of events) this.#tell(event);
      },
      onChange,
      onMcpPort,
    });
  }

  /** Whether a call is under way. */
  get busy(): boolean {
    return this.#calls > 0;
  }

  /** Whether the run waits for others to give their slots back. */
  get queued(): boolean {
    return this.#queue.size > 0;
  }

  /** Whether anybody needs it. */
  get used(): boolean {
    return this.busy || this.#users > 0 || this.events.hasReaders;
  }

  /** Keeps the run from being forgotten while `act` runs. */
  async using<T>(act: () => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await act();
    } finally {
      this.#users -= 1;
    }
  }

  /** Takes the run out of the queue. What waited for its turn rejects. */
  leaveQueue(): void {
    const left = new FlowError('Cancelled', 'The run was taken out of the queue before its turn. Nothing was changed.');
    for (const waiting of this.#queue) waiting.abort(left);
  }

  /** Events of the newest steps, oldest first. */
  get retained(): readonly RunEvent[] {
    return this.#retained;
  }

  /**
   * Makes sure that the user has agreed to what the run can reach, as the folder's settings are now; a thread has the settings of when
   * it was made, so this is asked once for each. `find` answers the hosts, or throws.
   */
  async agree(find: () => Promise<readonly string[]>): Promise<void> {
    if (this.#hosts) return;
    this.#agreeing ??= this.#agree(find).finally(() => {
      this.#agreeing = null;
    });
    await this.#agreeing;
  }

  async #agree(find: () => Promise<readonly string[]>): Promise<void> {
    const hosts = await find();
    // One that was made to look at something only may reach none.
    await this.thread.close();
    this.#hosts = hosts;
  }

  /** Drives the run, once it is its turn, and waits for the end. */
  async during<T>(act: (thread: RunThread) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      const release = await this.#turn();
      try {
        return await this.#withThread(act);
      } finally {
        release();
      }
    } finally {
      await this.#ended();
    }
  }

  /** Does something short with the thread, such as starting or cancelling, which need not wait until other runs rest. */
  async briefly<T>(act: (thread: RunThread) => Promise<T>): Promise<T> {
    this.#calls += 1;
    const { short } = this.#lanes;
    try {
      const release = short.tryTake() ?? (await short.take(new AbortController().signal));
      try {
        return await this.#withThread(act);
      } finally {
        release();
      }
    } finally {
      await this.#ended();
    }
  }

  async #withThread<T>(act: (thread: RunThread) => Promise<T>): Promise<T> {
    if (this.#toOpen !== undefined) await this.#open(this.#toOpen);
    return act(this.thread);
  }

  async #ended(): Promise<void> {
    this.#calls -= 1;
    if (this.#outdated && !this.busy) await this.rest();
  }

  /** Resolves when the run may be driven. Calls of one run share a slot: the driver refuses the second one by itself. */
  async #turn(): Promise<ReleaseSlot> {
    const { driving } = this.#lanes;
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
   * Begins something that may go on for long. Resolves when `begun` was seen in its events or it has ended; rejects when it
   * was refused before. What fails later is told as an event. `whenDone` is called at the very end. One begins after the
   * other: of two answers to one question, the second would take the first's event for its own. With `orQueued` it also resolves when
   * the run has to wait for its turn.
   */
  begin(
    act: (thread: RunThread) => Promise<unknown>,
    begun: (event: RunEvent) => boolean,
    whenDone: () => void,
    { orQueued = false } = {},
  ): Promise<void> {
    const begins = this.#beginning.then(() => this.#begin(act, begun, whenDone, orQueued));
    this.#beginning = begins.catch(() => undefined);
    return begins;
  }

  async #begin(
    act: (thread: RunThread) => Promise<unknown>,
    begun: (event: RunEvent) => boolean,
    whenDone: () => void,
    orQueued: boolean,
  ): Promise<void> {
    const abort = new AbortController();
    const seen = this.#seen(begun, abort.signal);
    let goesOn = false;
    const done = this.during(act).then(
      () => undefined,
      (thrown: unknown) => {
        if (!goesOn) throw thrown;
        // Whoever took the run out of the queue knows.
        if (!(orQueued && thrown instanceof FlowError && thrown.variant === 'Cancelled')) this.#tellFailure(thrown);
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

  /** Ends the thread; the next command makes a new one, which reads settings and trust anew. Readers of events stay. */
  async rest(): Promise<void> {
    this.#retained = [];
    this.#hosts = null;
    this.#outdated = false;
    await this.thread.close();
  }

  /** Lets the thread end where it stands, or after the transition that is under way. */
  async withdraw(): Promise<void> {
    this.leaveQueue();
    if (!this.busy) return this.rest();
    this.#outdated = true;
    // It may have ended meanwhile, and needs no pause then.
    await this.thread.call({ type: 'pause' }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.leaveQueue();
    await this.rest();
    this.events.end();
  }

  async #open(runId: string): Promise<void> {
    await this.thread.open(runId);
    this.#toOpen = undefined;
  }

  async #seen(begun: (event: RunEvent) => boolean, signal: AbortSignal): Promise<void> {
    for await (const event of this.events.read(signal)) if (begun(event)) return;
    // Nothing was seen: the call's own end decides.
    await new Promise(() => undefined);
  }

  #tell(event: RunEvent): void {
    this.#retained.push(event);
    if (this.#retained.length > 2 * retainedLimit) this.#retained = this.#retained.slice(-retainedLimit);
    this.events.publish(event);
  }

  #tellFailure(thrown: unknown): void {
    const run_id = this.thread.run_id ?? '';
    this.#tell({
      type: 'error',
      run_id,
      seq: this.#retained.at(-1)?.seq ?? 0,
      timestamp: Date.now(),
      node: null,
      error: toTransferable(thrown),
    });
  }
}
