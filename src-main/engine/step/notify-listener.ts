import type { RunEvent } from '#shared/run/event.ts';

/** A listener for a run's events, and the handler of the listener's own failures. */
export interface RunListener {
  readonly onEvent?: ((event: RunEvent) => unknown) | undefined;
  readonly onListenerError?: ((error: unknown, event: RunEvent) => void) | undefined;
}

/**
 * Hands an event to a listener. Never throws: what the listener throws or rejects with goes to `onListenerError`, or is thrown as an uncaught error
 * of its own, so that it fails no step and is not lost.
 */
export function notifyListener(listener: RunListener, event: RunEvent): void {
  try {
    const result = listener.onEvent?.(event);
    if (result instanceof Promise) result.catch((error: unknown) => reportError(listener, error, event));
  } catch (error) {
    reportError(listener, error, event);
  }
}

function reportError(listener: RunListener, error: unknown, event: RunEvent): void {
  try {
    if (!listener.onListenerError) throw error;
    listener.onListenerError(error, event);
  } catch (own) {
    throwUncaught(own);
  }
}

function throwUncaught(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
