import type { Effect, EffectOutcome } from '#main/engine/ports/recorder.ts';
import { toJson } from '#shared/json.ts';
import { explainingErrors, needsTransactions, whenUnlocked } from './database.ts';
import { recorderStatements } from './recorder-statements.ts';
import { type BufferedStep, nodeStatsInterval, type RunPlace, stepParameters } from './step-writer.ts';
import { shortText } from './value-store.ts';
import { preallocateWal } from './wal-preallocation.ts';

/** After this many steps, a run is expected to write many more. */
const manySteps = 16;

/** A finished effect that is not written yet. */
export interface Ended {
  readonly id: string;
  readonly seq: number;
  readonly attempt: number;
  readonly key: string;
  readonly finished_at: number;
  readonly outcome: EffectOutcome;
}

/**
 * Fast path: writes that fit one SQL statement, which is its own transaction and conditional on our lease. A step
 * with one short effect costs two such statements, each changing one page: the row of the claim, and that of the step with
 * the effect's outcome. Each method returns false if it wrote nothing; the slow path then finds out why.
 */
export class SingleStatementWrites {
  readonly #place: RunPlace;
  readonly #token: string;
  readonly #statements;
  readonly #allowed: boolean;
  #steps = 0;

  constructor(place: RunPlace & { readonly token: string }) {
    this.#place = place;
    this.#token = place.token;
    this.#allowed = !needsTransactions(place.database);
    this.#statements = recorderStatements(place.database);
  }

  /** Claims an effect. */
  claim(seq: number, attempt: number, { key, kind, node, name, input, supplied }: Effect, now: number): boolean {
    if (!this.#allowed) return false;
    const text = supplied ? undefined : shortText(input);
    if (text === undefined) return false;
    return this.#changed(() =>
      this.#statements.insertEffectAlone.run(seq, attempt, key, kind, node, name, text, now, this.#place.run, this.#token),
    );
  }

  /** Writes a step together with the outcome of its last effect. */
  step(buffered: BufferedStep, ended: Ended): boolean {
    const { step, changed, folded } = buffered;
    if (!this.#allowed || folded || step.supplied || step.seq !== ended.seq || step.seq % nodeStatsInterval === 0) return false;
    for (const node in step.history) if (step.history[node]?.length) return false;
    const produced = shortText(step.produced.map(({ value }) => value));
    const control = shortText(toJson(changed));
    const events = shortText(toJson(step.events));
    const outcome = shortText(toJson(ended.outcome));
    if (produced === undefined || control === undefined || events === undefined || outcome === undefined) return false;
    const { key, attempt, finished_at } = ended;
    const fields = stepParameters(buffered, { produced, control, events });
    const written = this.#changed(() =>
      this.#statements.insertStepAlone.run(...fields, key, attempt, finished_at, outcome, this.#place.run, this.#token),
    );
    if (written) this.#steps += 1;
    if (written && this.#steps === manySteps) preallocateWal(this.#place.database);
    return written;
  }

  #changed(write: () => { readonly changes: number }): boolean {
    return explainingErrors(this.#place.path, () => whenUnlocked(this.#place.database, write)).changes === 1;
  }
}
