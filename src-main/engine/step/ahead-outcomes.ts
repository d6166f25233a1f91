import type { AheadPlace, MarkedOutcome } from '#main/engine/ports/recorder.ts';
import type { AheadEffect } from '#shared/run/snapshot.ts';

/** What a run without a journal has done before its turn, until the step that it belongs to is committed. */
export class AheadOutcomes {
  #kept: readonly AheadEffect[];

  constructor(kept: readonly AheadEffect[] = []) {
    this.#kept = kept;
  }

  list(): readonly AheadEffect[] {
    return this.#kept;
  }

  keep(place: AheadPlace, key: string, outcome: MarkedOutcome): void {
    this.#kept = [...this.#kept, { ...place, key, outcome }];
  }

  find(place: () => AheadPlace, key: string): MarkedOutcome | undefined {
    if (this.#kept.length === 0) return undefined;
    const at = place();
    return this.#kept.find((effect) => effect.key === key && isAt(at)(effect))?.outcome;
  }

  /** Forgets what was done for a step: it is committed, or has failed and is tried again. */
  forget(place: () => AheadPlace): void {
    if (this.#kept.length === 0) return;
    const isOfStep = isAt(place());
    this.#kept = this.#kept.filter((effect) => !isOfStep(effect));
  }
}

const isAt =
  (place: AheadPlace) =>
  ({ ready, node, phase }: AheadPlace): boolean =>
    ready === place.ready && node === place.node && phase === place.phase;
