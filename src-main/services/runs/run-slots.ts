/** Releases a slot. Calling it again does nothing. */
export type ReleaseSlot = () => void;

/** A first-in, first-out semaphore. */
export class RunSlots {
  #free: number;
  readonly #waiting: ((release: ReleaseSlot) => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot if one is free. */
  tryTake(): ReleaseSlot | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return this.#releaser();
  }

  /** Waits for a slot. Rejects with the signal's reason once that aborts. */
  take(signal: AbortSignal): Promise<ReleaseSlot> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = this.#waiting.indexOf(enter);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const enter = (release: ReleaseSlot): void => {
        signal.removeEventListener('abort', leave);
        resolve(release);
      };
      signal.throwIfAborted();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }

  #releaser(): ReleaseSlot {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next(this.#releaser());
      else this.#free += 1;
    };
  }
}
