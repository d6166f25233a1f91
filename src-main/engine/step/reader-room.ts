import type { Context } from '#main/engine/ports/context.ts';
import { unlessAborted } from './on-abort.ts';

/**
 * Resolves once the readers of the events have room for more, or the run is cancelled; undefined if they have room now. Never rejects: a reader fails no
 * step.
 */
export function readerRoom({ ready, signal }: Pick<Context, 'ready' | 'signal'>): Promise<void> | undefined {
  const room = ready?.();
  return room && unlessAborted(signal, room).catch(() => {});
}
