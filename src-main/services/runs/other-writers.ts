import type { Background } from '#main/services/background/background.ts';
import type { RunSummary } from '#shared/contract/runs.ts';

/** How often the journal is asked whether somebody has written to it, in milliseconds. */
const interval = 1000;

/** Hears of runs that other processes start and drive (the command line, another studio): asks the journal for what is new there. */
export class OtherWriters {
  readonly #reading: Pick<Background, 'call'>;
  readonly #tell: (summary: RunSummary) => void;
  readonly #isHeard: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #version: number | null = null;
  /** What is known of each run, so that news is told once. */
  readonly #known = new Map<string, string>();

  /** `isHeard`: whether anybody listens; else nothing is asked. */
  constructor(reading: Pick<Background, 'call'>, isHeard: () => boolean, tell: (summary: RunSummary) => void) {
    this.#reading = reading;
    this.#isHeard = isHeard;
    this.#tell = tell;
  }

  /** From when this resolves on, what is new is told. */
  async begin(): Promise<void> {
    if (!this.#timer) {
      this.#timer = setInterval(() => {
        if (this.#isHeard()) void this.#look();
      }, interval);
      this.#timer.unref();
    }
    if (this.#version === null) await this.#look();
  }

  /** Takes note of what was told by somebody else. */
  note({ run_id, seq, status, updated_at }: RunSummary): boolean {
    const stand = `${seq} ${status} ${updated_at}`;
    if (this.#known.get(run_id) === stand) return false;
    this.#known.set(run_id, stand);
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
    // A journal that cannot be read says so where somebody asks for its runs; here the next turn tries again.
    const changed = await this.#reading.call('changedRuns', { version: this.#version }).catch(() => null);
    if (!changed) return;
    this.#version = changed.version;
    for (const summary of changed.runs) if (this.note(summary) && !first) this.#tell(summary);
  }
}
