import type { Context } from '#main/engine/ports/context.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { ContextOptions } from './context-options.ts';

/** The listener of a context, and with `overflow: 'wait'` what makes its runs wait for it. */
export function listenerOf({ onEvent, overflow }: Pick<ContextOptions, 'onEvent' | 'overflow'>): Pick<Context, 'onEvent' | 'ready'> {
  if (!onEvent || overflow !== 'wait') return { onEvent };
  const busy = new Set<Promise<unknown>>();
  return {
    onEvent: (event: RunEvent) => {
      const handled = onEvent(event);
      if (!(handled instanceof Promise)) return handled;
      const settled: Promise<unknown> = handled.catch(() => {}).finally(() => busy.delete(settled));
      busy.add(settled);
      return handled;
    },
    ready: () => (busy.size > 0 ? Promise.all(busy).then(() => {}) : undefined),
  };
}
