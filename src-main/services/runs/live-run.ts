import type { MessagePort } from 'node:worker_threads';
import { RunThread } from '#main/driver/run-thread.ts';
import { Feed } from '#main/services/feed.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { toTransferable } from '#shared/runtime/error.ts';
import type { RunEvent } from '#shared/runtime/event.ts';

/** Events kept for a reader who comes in the middle of a step, which is not on record yet. */
const retainedLimit = 1000;

export interface LiveRunOptions {
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

  constructor({ folder, journalPath, runId, onChange, onMcpPort }: LiveRunOptions) {
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

  /** Does something with the thread and waits for its end. */
  async during<T>(act: (thread: RunThread) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      if (this.#toOpen !== undefined) await this.#open(this.#toOpen);
      return await act(this.thread);
    } finally {
      this.#calls -= 1;
      if (this.#outdated && !this.busy) await this.rest();
    }
  }

  /**
   * Begins something that may go on for long. Resolves when `begun` was seen in its events or it has ended; rejects when it
   * was refused before. What fails later is told as an event. `whenDone` is called at the very end. One begins after the
   * other: of two answers to one question, the second would take the first's event for its own.
   */
  begin(act: (thread: RunThread) => Promise<unknown>, begun: (event: RunEvent) => boolean, whenDone: () => void): Promise<void> {
    const begins = this.#beginning.then(() => this.#begin(act, begun, whenDone));
    this.#beginning = begins.catch(() => undefined);
    return begins;
  }

  async #begin(act: (thread: RunThread) => Promise<unknown>, begun: (event: RunEvent) => boolean, whenDone: () => void): Promise<void> {
    const abort = new AbortController();
    const seen = this.#seen(begun, abort.signal);
    let goesOn = false;
    const done = this.during(act).then(
      () => undefined,
      (thrown: unknown) => {
        if (!goesOn) throw thrown;
        this.#tellFailure(thrown);
      },
    );
    const finished = done.finally(whenDone);
    try {
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
    if (!this.busy) return this.rest();
    this.#outdated = true;
    // It may have ended meanwhile, and needs no pause then.
    await this.thread.call({ type: 'pause' }).catch(() => undefined);
  }

  async close(): Promise<void> {
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
