const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once the signal is aborted, at once if it is. Returns what takes the call back again. A signal gets one listener however
 * often it is waited for: adding and removing one costs more than a step does.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  let waiting = callbacks.get(signal);
  if (!waiting) {
    const fresh = new Set<() => void>();
    waiting = fresh;
    callbacks.set(signal, fresh);
    signal.addEventListener(
      'abort',
      () => {
        for (const each of fresh) each();
      },
      { once: true },
    );
  }
  const set = waiting;
  set.add(callback);
  return () => {
    set.delete(callback);
  };
}

/** The result of the work; rejects with the signal's reason once that aborts, whatever the work does then. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let forget = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}
