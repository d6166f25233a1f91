import type { AheadPlace, Effect } from '#main/engine/ports/recorder.ts';
import type { AheadEffects } from '#shared/flow/parallel.ts';
import type { DescribedTool } from './flow-tool.ts';

/** Thrown into a step that is made ahead when it would begin something after its run has stopped working ahead. */
export class StoppedAhead extends Error {
  constructor() {
    super('the run has stopped working ahead');
  }
}

/** The wait of a step that is made before its turn. */
export class Ahead {
  readonly place: AheadPlace;
  readonly #effects: AheadEffects;
  readonly #turn = Promise.withResolvers<void>();
  #stopped = false;
  /** Waits for its turn, and nothing of it is in progress. */
  isWaiting = false;
  readonly #onWait: () => void;

  constructor(place: AheadPlace, effects: AheadEffects, onWait: () => void) {
    this.place = place;
    this.#effects = effects;
    this.#onWait = onWait;
    this.#turn.promise.catch(() => undefined);
  }

  /** Whether this effect may start now. A tool's was decided by `allowsTool` before. */
  allows({ kind, name }: Effect): boolean {
    return kind !== 'handler' || name === 'ctx.now' || name === 'control' || this.#effects === 'all';
  }

  /** Whether this tool may be called now. One that changes files of the folder waits: their earlier content is stored by record. */
  allowsTool(tool: DescribedTool): boolean {
    if ('graph' in tool) return false;
    if (tool.effect !== 'write') return this.#effects !== 'model';
    return this.#effects === 'all' && !('preview' in tool && tool.preview !== undefined);
  }

  /** Resolves when the step's turn has come. Rejects with `StoppedAhead`. */
  turn(): Promise<void> {
    this.isWaiting = true;
    this.#onWait();
    return this.#turn.promise;
  }

  /** Rejects with `StoppedAhead` if nothing may begin any more. */
  assertGoing(): void {
    if (this.#stopped) throw new StoppedAhead();
  }

  /** The step's turn has come. */
  release(): void {
    this.#turn.resolve();
  }

  stop(): void {
    this.#stopped = true;
    this.#turn.reject(new StoppedAhead());
  }
}
