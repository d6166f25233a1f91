import type { Background } from '#main/services/query-worker/background.ts';
import type { RunSummary } from '#shared/contract/runs.ts';

/** Polling interval of the journal in milliseconds. */
const interval = 1000;

/** Polls the journal for runs that other processes (the command line, another studio) start and drive. */
export class ExternalWrites {
  readonly #reading: Pick<Background, 'call'>;
  readonly #onChange: (summary: RunSummary) => void;
  readonly #isObserved: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #version: number | null = null;
  /** Last known state of each run, so that each change is reported once. */
  readonly #known = new Map<string, string>();

  /** `isObserved`: whether there are listeners; otherwise the journal is not polled. */
  constructor(reading: Pick<Background, 'call'>, isObserved: () => boolean, onChange: (summary: RunSummary) => void) {
    this.#reading = reading;
    this.#isObserved = isObserved;
    this.#onChange = onChange;
  }

  /** Changes are reported once this resolves. */
  async start(): Promise<void> {
    if (!this.#timer) {
      this.#timer = setInterval(() => {
        if (this.#isObserved()) void this.#look();
      }, interval);
      this.#timer.unref();
    }
    if (this.#version === null) await this.#look();
  }

  /** Records a change that was already reported. */
  note({ run_id: runId, seq, status, updated_at }: RunSummary): boolean {
    const stateKey = `${seq} ${status} ${updated_at}`;
    if (this.#known.get(runId) === stateKey) return false;
    this.#known.set(runId, stateKey);
    return true;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #read(): Promise<void> {
    const first = this.#version === null;
    // An unreadable journal is reported when its runs are listed; polling just retries.
    const changed = await this.#reading.call('changedRuns', { version: this.#version }).catch(() => null);
    if (!changed) return;
    this.#version = changed.version;
    for (const summary of changed.runs) if (this.note(summary) && !first) this.#onChange(summary);
  }
}
