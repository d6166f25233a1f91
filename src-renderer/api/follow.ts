/** Pauses before subscribing anew, in milliseconds; the last one repeats. An item that arrives starts them over. */
const pauses = [50, 200, 500, 1000, 2000, 5000];

export interface FollowOptions<T> {
  /** Starts the stream; called again after a break. `signal` ends it. */
  readonly subscribe: (signal: AbortSignal) => Promise<AsyncIterable<T>>;
  readonly onItem: (item: T) => void;
  /** Told of each break before the next attempt. False ends it for good. */
  readonly onBreak?: (thrown: unknown) => boolean | undefined;
}

/** Follows a stream of the contract until it ends by itself, over broken connections. Answers the function that stops it. */
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
