import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DrivenPlan, DrivenReport } from './driven-plan.ts';
import type { DrivenProgram } from './driven-program.ts';
import { type KilledRun, readKilledRuns, statesAt } from './killed-run.ts';
import { WitnessProcess } from './witness-process.ts';
import { effectNodes } from './witnessed-flow.ts';

/** When a process is killed: at some time, in an effect, or when the witness has done and answered what an effect asked for. */
export type KillKind = 'any time' | 'under way' | 'answered';

/** Where it turned out to have been when it was killed. */
export type KillPlace = 'inside an effect' | 'between its end and its record' | 'elsewhere';

interface Killed {
  readonly reports: readonly DrivenReport[];
  readonly left: readonly KilledRun[];
}

/** A model call changes nothing: the next process makes it again, without asking. */
function isRepeated(what: string): boolean {
  return / model \d+$/.test(what);
}

/** One journal and one witness, and processes that are killed one after the other, each of which first finishes what the one before left behind. */
export class KillingLane {
  readonly places: KillPlace[] = [];
  readonly #program: DrivenProgram;
  readonly #folder: string;
  readonly #name: string;
  readonly #random: () => number;
  readonly #witness: WitnessProcess;
  readonly #retries = new Map<string, number>();
  #left: readonly KilledRun[] = [];
  #finished = 0;

  private constructor(program: DrivenProgram, folder: string, name: string, random: () => number, witness: WitnessProcess) {
    this.#program = program;
    this.#folder = folder;
    this.#name = name;
    this.#random = random;
    this.#witness = witness;
  }

  static async open(program: DrivenProgram, folder: string, name: string, random: () => number): Promise<KillingLane> {
    return new KillingLane(program, folder, name, random, await WitnessProcess.start(join(folder, `witness-${name}.log`)));
  }

  /** How many processes were killed at such a place. */
  count(place: KillPlace): number {
    return this.places.filter((one) => one === place).length;
  }

  get finished(): number {
    return this.#finished;
  }

  get #journal(): string {
    return join(this.#folder, `runs-${this.#name}.db`);
  }

  /** Starts a process, kills it, and checks what it and its predecessor left behind. */
  async kill(kind: KillKind): Promise<void> {
    const before = this.#left;
    const killed = await this.#startAndKill(kind);
    this.#checkFinished(before, killed.reports);
    this.#checkRecorded(killed);
    this.#left = killed.left;
    for (const what of killed.left.flatMap(({ open }) => open).filter(isRepeated)) this.#addRetry(what);
    this.places.push(this.#placeOf(kind, killed));
  }

  /** Finishes what is left, and checks all that the witness has in its log. */
  async finish(): Promise<void> {
    const before = this.#left;
    const { reports } = await this.#startAndKill('any time', 'ready');
    this.#checkFinished(before, reports);
    for (const [what, numbers] of this.#witness.done()) {
      ok(numbers.length <= 1 + (this.#retries.get(what) ?? 0), `${what} was done ${numbers.length} times`);
    }
  }

  async close(): Promise<void> {
    await this.#witness.stop();
  }

  async #startAndKill(kind: KillKind, until?: 'ready'): Promise<Killed> {
    const number = this.places.length + 1;
    const nth = 1 + Math.floor(this.#random() * 9);
    const plan: DrivenPlan = {
      name: `${this.#name}${number}`,
      journal_path: this.#journal,
      witness_port: this.#witness.port,
      unfinished: this.#left.map(({ run_id }) => run_id),
      answer: this.#random() < 0.5 ? 'retry' : 'supply',
      kill: kind === 'any time' ? null : kind === 'under way' ? { nth, when: kind } : { nth, when: kind, after_ms: this.#random() * 0.2 },
    };
    const child = spawn(process.execPath, [this.#program.path, JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: this.#program.cache },
    });
    const reports: DrivenReport[] = [];
    // A quarter of those that are killed at any time are killed while they finish what was left, if they are.
    const begin = this.#random() < 0.25 ? 'step' : 'ready';
    const delay = until ? 0 : this.#random() * 40;
    let timer: NodeJS.Timeout | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = JSON.parse(line) as DrivenReport;
      reports.push(report);
      if (kind === 'any time' && (report.type === 'ready' || report.type === (until ?? begin)))
        timer ??= setTimeout(() => child.kill('SIGKILL'), delay);
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    clearTimeout(timer);
    deepEqual([code, signal], [null, 'SIGKILL'], 'the process ended by itself');
    for (const report of reports) {
      if (report.type === 'asked' && report.retry) this.#addRetry(report.what);
    }
    return { reports, left: readKilledRuns(this.#journal) };
  }

  #addRetry(what: string): void {
    this.#retries.set(what, (this.#retries.get(what) ?? 0) + 1);
  }

  /** No step that was told to be made and has an effect is missing; nor is one that any later record follows. */
  #checkRecorded({ reports, left }: Killed): void {
    for (const run of left) {
      const made = reports.filter((report) => report.type === 'step' && report.run_id === run.run_id && effectNodes.has(report.node));
      const last = made.at(-1);
      if (last?.type === 'step') ok(run.last_seq >= last.seq, `record ${last.seq} of ${run.run_id} was made, and is lost`);
    }
  }

  /** What was left behind was asked about, no more and no less, or repeated if it was a model call, came to its end, and what was on record stayed as it was. */
  #checkFinished(before: readonly KilledRun[], reports: readonly DrivenReport[]): void {
    const done = this.#witness.done();
    for (const run of before) {
      const ended = reports.find((report) => report.type === 'finished' && report.run_id === run.run_id);
      const asked = reports.flatMap((report) => (report.type === 'asked' && report.run_id === run.run_id ? [report.what] : []));
      const mayBeAsked = run.open.filter((what) => !isRepeated(what));
      if (ended && run.status !== 'suspended') deepEqual([...asked].sort(), mayBeAsked.sort(), 'what is unknown was not what was asked');
      equal(statesAt(this.#journal, run.run_id, run.last_seq), run.states, 'what was on record has changed');
    }
    for (const report of reports) {
      if (report.type !== 'finished') continue;
      this.#finished += 1;
      const { run, done: results } = report.output;
      for (const [what, number] of Object.entries(results))
        ok(done.get(`${run} ${what}`)?.includes(number), `${run} ${what} has a result that the witness never gave`);
      ok('handler H' in results, `${run} ended without its last effect`);
      // Where a person supplied what a model had said, that contains no results of calls.
      ok(!('call 1' in results) || 'handler Y' in results, `${run} ended without the last effect of the flow that its agent calls`);
    }
  }

  #placeOf(kind: KillKind, { left }: Killed): KillPlace {
    if (left.every(({ open }) => open.length === 0)) return 'elsewhere';
    return kind === 'answered' ? 'between its end and its record' : 'inside an effect';
  }
}
