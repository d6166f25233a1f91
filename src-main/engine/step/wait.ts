import { onAbort } from './on-abort.ts';

/** Resolves after this number of milliseconds. Rejects with the signal's reason once that aborts. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let forget = (): void => undefined;
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
    forget = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
