import type { Background } from '#main/services/query-worker/background.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { isRecorded } from './event-stream.ts';

/** How often a run that another process may drive is looked at, in milliseconds. */
const interval = 200;

const endings: ReadonlySet<RunStatus> = new Set(['success', 'cancelled']);

/** A run as the readers of its events have it. */
export interface FollowedRun {
  /** Whether a call of this process drives it. */
  readonly busy: () => boolean;
  readonly hasReaders: () => boolean;
  /** The last record whose events this process has published. */
  readonly lastSeq: () => number;
  readonly publish: (event: RunEvent) => void;
}

/** Publishes the events that another process records of a run, as long as it has readers here. Events of what is not recorded, such as texts that arrive, are not among them. */
export class RecordsOfOthers {
  readonly #runId: string;
  readonly #run: FollowedRun;
  readonly #reading: Pick<Background, 'call'>;
  #timer: NodeJS.Timeout | undefined;
  #seq = 0;
  #looking = false;

  constructor(runId: string, run: FollowedRun, reading: Pick<Background, 'call'>) {
    this.#runId = runId;
    this.#run = run;
    this.#reading = reading;
  }

  /** Begins after a record that the first reader has read. Later readers have subscribed before they read. */
  followFrom(seq: number): void {
    if (this.#timer) return;
    this.#seq = seq;
    this.#timer = setInterval(() => void this.#look(), interval);
    this.#timer.unref();
  }

  /** Called before an event of this process is published: readers are to read first what others have recorded before it. */
  beforeOwn({ type, seq, timestamp }: RunEvent): void {
    const known = Math.max(this.#seq, this.#run.lastSeq());
    // `init_stream` has the number of the last record, an event of a step that of its own record.
    const before = type === 'init_stream' ? seq : isRecorded(type) ? seq - 1 : 0;
    if (!this.#timer || before <= known) return;
    this.#publishGap(known + 1, before, timestamp);
    this.#seq = before;
  }

  async #look(): Promise<void> {
    if (!this.#run.hasReaders()) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (!this.#looking && !this.#run.busy()) {
      this.#looking = true;
      // A journal that can't be read now is read at the next look.
      await this.#read().catch(() => undefined);
      this.#looking = false;
    }
  }

  async #read(): Promise<void> {
    const known = Math.max(this.#seq, this.#run.lastSeq());
    const { seq, status, updated_at } = await this.#reading.call('summary', { run_id: this.#runId });
    if (seq > known) await this.#publish(known, seq);
    this.#seq = Math.max(known, seq);
    // Who reads again learns that the run has ended.
    if (endings.has(status) && !this.#run.busy()) this.#publishGap(this.#seq, this.#seq, updated_at);
  }

  async #publish(known: number, seq: number): Promise<void> {
    const found: RunEvent[] = [];
    for (let after: number | null = known; after !== null && after < seq; ) {
      const page: { events: readonly RunEvent[]; next: number | null } = await this.#reading.call('events', { run_id: this.#runId, after });
      found.push(...page.events.filter((event) => event.seq <= seq));
      after = page.next;
    }
    // What this process has recorded meanwhile was published before these: readers read both from the journal.
    if (this.#run.busy() || this.#run.lastSeq() > known) this.#publishGap(known + 1, seq, found.at(-1)?.timestamp ?? 0);
    else for (const event of found) this.#run.publish(event);
  }

  #publishGap(from: number, to: number, timestamp: number): void {
    this.#run.publish({ type: 'gap', run_id: this.#runId, seq: to, timestamp, from, to });
  }
}
