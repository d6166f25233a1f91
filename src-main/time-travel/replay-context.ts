import { agentLoop } from '#main/agents/agent-loop.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { sessionAgents, sessionBodies } from '#main/session/session-bodies.ts';
import { ReplayTools } from './replay-tools.ts';

/** Creates a context without side effects. `tools`: names of the tools that the run called; `now`: the recorded time. */
export function replayContext({ tools, now }: { readonly tools: Iterable<string>; readonly now: () => number }): RunContext {
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
      throw new Error('A model was called during a replay.');
    },
    signal: new AbortController().signal,
    clock: { now },
    newId: () => 'replay',
    services: {},
    agentLoop,
    sessionBodies,
    sessionAgents,
  };
}
