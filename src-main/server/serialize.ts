/** Runs actions of one key one after another, in order of arrival. */
export class Serializer {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(action, action);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }
}
