import { ReplayTools } from '#main/history/replay-tools.ts';
import type { Context } from '#main/runtime/context.ts';

/** A world in which nothing happens. `tools`: names of those that the run called; `now`: what the clock said. */
export function replayContext({ tools, now }: { readonly tools: Iterable<string>; readonly now: () => number }): Context {
  return {
    working_dir: '/',
    commands: [],
    writable: [],
    allow_hosts: [],
    allow_private: [],
    approve: {},
    protected_files: new Set(),
    trusted: true,
    secrets: new Map(),
    tools: new ReplayTools(tools),
    models: () => {
      throw new Error('A model was asked for in a run that is only computed again.');
    },
    signal: new AbortController().signal,
    clock: { now },
    newId: () => 'replay',
    services: {},
  };
}
