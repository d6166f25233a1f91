import {
  AbandonedEffect,
  type AheadPlace,
  type Effect,
  type EffectOutcome,
  type Perform,
  type Recorder,
  type StepRecord,
  UnknownOutcome,
} from '#main/engine/ports/recorder.ts';
import { toTransferable } from '#shared/run/error.ts';

const aheadId = ({ ready, node, phase }: AheadPlace): string => `ahead ${ready} ${node} ${phase}`;

/** Thrown where the process is to have ended. */
export class Crash extends Error {}

/** Keeps records and effects as a journal does, in memory, and can end "the process" at any effect. */
export class MemoryRecorder implements Recorder {
  readonly records: StepRecord[] = [];
  readonly #effects = new Map<string, EffectOutcome | 'started'>();
  readonly #taken = new Map<string, number>();
  #crashAt: (place: 'in' | 'after', effect: Effect) => boolean = () => false;
  /** The "process" has ended: effects still in progress have no result. */
  #crashed = false;

  /** Asked at each place where the process could end. Whoever sets it starts another "process". */
  set crashAt(ask: (place: 'in' | 'after', effect: Effect) => boolean) {
    this.#crashAt = ask;
    this.#crashed = false;
  }

  effect(seq: number, effect: Effect, perform: Perform): Promise<EffectOutcome> {
    const id = `${seq} ${effect.key}`;
    return this.#once(id, this.#effects.get(id) ?? this.#earlier(seq, effect), effect, perform);
  }

  effectAhead(place: AheadPlace, effect: Effect, perform: Perform): Promise<EffectOutcome> {
    const ahead = aheadId(place);
    const id = `${ahead} ${effect.key}`;
    const idAtEnd = () => (this.#taken.has(ahead) ? `${this.#taken.get(ahead)} ${effect.key}` : id);
    return this.#once(id, this.#effects.get(id), effect, perform, idAtEnd);
  }

  async #once(
    id: string,
    known: EffectOutcome | 'started' | undefined,
    effect: Effect,
    perform: Perform,
    idAtEnd = () => id,
  ): Promise<EffectOutcome> {
    if (known === 'started' && !effect.repeatable) throw new UnknownOutcome(effect);
    if (known && known !== 'started') return known;
    this.#effects.set(id, 'started');
    if (this.#crashAt('in', effect)) throw this.#crash();
    const outcome = await perform(known ? 2 : 1).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof AbandonedEffect) throw error;
        return { error: toTransferable(error) };
      },
    );
    if (this.#crashed) throw new Crash();
    this.#effects.set(idAtEnd(), JSON.parse(JSON.stringify(outcome)) as EffectOutcome);
    if (this.#crashAt('after', effect)) throw this.#crash();
    return outcome;
  }

  takeAhead(seq: number, place: AheadPlace): void {
    const id = aheadId(place);
    this.#taken.set(id, seq);
    for (const [key, outcome] of this.#effects) {
      if (!key.startsWith(`${id} `)) continue;
      this.#effects.delete(key);
      this.#effects.set(`${seq}${key.slice(id.length)}`, outcome);
    }
  }

  begun(seq: number, key: string): boolean {
    return this.#effects.has(`${seq} ${key}`);
  }

  #earlier(seq: number, { since = seq, key }: Effect): EffectOutcome | undefined {
    for (let at = since; at < seq; at += 1) {
      const known = this.#effects.get(`${at} ${key}`);
      if (known && known !== 'started') return known;
    }
    return undefined;
  }

  #crash(): Crash {
    this.#crashed = true;
    return new Crash();
  }

  commit(step: StepRecord): void {
    if (step.seq !== this.records.length + 1) throw new Error(`Record ${step.seq} does not follow ${this.records.length}.`);
    this.records.push(JSON.parse(JSON.stringify(step)) as StepRecord);
  }
}
