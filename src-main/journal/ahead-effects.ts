import type { AheadPlace, Effect, EffectOutcome } from '#main/engine/ports/recorder.ts';
import { toJson } from '#shared/json.ts';
import { recorderStatements } from './recorder-statements.ts';
import { checked, outcomeSchema } from './rows.ts';
import type { RunPlace } from './step-writer.ts';

/** What is on record of an effect that began before the turn of its step. */
type Known = { readonly outcome: EffectOutcome } | 'unknown' | undefined;

/**
 * The rows of effects that began before the turn of their steps. When its turn comes, they become rows of the step's record. Call the methods inside a
 * transaction.
 */
export class AheadEffects {
  readonly #place: RunPlace;
  readonly #statements;
  /** Records that have taken what was done ahead for them, by place: effects that end later belong there. */
  readonly #taken = new Map<string, { readonly seq: number; readonly attempt: number }>();
  #any: boolean;

  constructor(place: RunPlace) {
    this.#place = place;
    this.#statements = recorderStatements(place.database);
    this.#any = this.#statements.anyAhead.get(place.run) !== undefined;
  }

  /** Claims an effect. Returns what is known of it if it had been claimed before. */
  claim(place: AheadPlace, effect: Effect, now: number): Known {
    const { run, reader, path, writer } = this.#place;
    const at = parameters(place);
    const input = writer.write(effect.input);
    const row = this.#statements.selectAhead.get(run, ...at, effect.key) as { outcome: string | null } | undefined;
    if (row) return row.outcome === null ? 'unknown' : { outcome: checked(outcomeSchema, reader.read(row.outcome), path) };
    this.#statements.insertAhead.run(run, ...at, effect.key, effect.kind, effect.node, effect.name, input, now);
    this.#any = true;
    return undefined;
  }

  /** Writes how an effect ended. */
  finish(place: AheadPlace, { key }: Effect, outcome: EffectOutcome, now: number): void {
    const { run, writer } = this.#place;
    const text = writer.write(toJson(outcome));
    const taken = this.#taken.get(nameOf(place));
    if (taken) this.#statements.finishEffect.run(now, text, run, taken.seq, taken.attempt, key);
    else this.#statements.finishAhead.run(now, text, run, ...parameters(place), key);
  }

  /** Whether there may be rows for a step that takes its turn. */
  has(place: AheadPlace): boolean {
    return this.#any && !this.#taken.has(nameOf(place));
  }

  /** Makes the effects of a step those of its record. */
  take(place: AheadPlace, seq: number, attempt: number): void {
    const { run } = this.#place;
    const at = parameters(place);
    const { changes } = this.#statements.moveAhead.run(seq, attempt, run, ...at);
    if (changes === 0) return;
    this.#statements.deleteAhead.run(run, ...at);
    this.#taken.set(nameOf(place), { seq, attempt });
  }
}

function parameters({ ready, node, phase }: AheadPlace): [string, string, string] {
  return [ready, node, phase];
}

function nameOf(place: AheadPlace): string {
  return parameters(place).join(' ');
}
