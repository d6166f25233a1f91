/** Pauses before subscribing again, in milliseconds; the last one repeats. An item that arrives resets them. */
const pauses = [50, 200, 500, 1000, 2000, 5000];

export interface FollowOptions<T> {
  /** Starts the stream; called again after a break. `signal` aborts it. */
  readonly subscribe: (signal: AbortSignal) => Promise<AsyncIterable<T>>;
  readonly onItem: (item: T) => void;
  /** Called after each break, before the next attempt. False stops following. */
  readonly onBreak?: (thrown: unknown) => boolean | undefined;
}

/** Follows a stream of the contract until it ends, across broken connections. Returns the function that stops this. */
export function follow<T>({ subscribe, onItem, onBreak }: FollowOptions<T>): () => void {
  const abort = new AbortController();
  const run = async () => {
    for (let attempt = 0; !abort.signal.aborted; attempt += 1) {
      try {
        for await (const item of await subscribe(abort.signal)) {
          if (abort.signal.aborted) return;
          attempt = 0;
          onItem(item);
        }
        return;
      } catch (thrown) {
        if (abort.signal.aborted || onBreak?.(thrown) === false) return;
        await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(attempt, pauses.length - 1)]));
      }
    }
  };
  void run();
  return () => abort.abort();
}
