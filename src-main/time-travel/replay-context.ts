import { agentLoop } from '#main/agents/agent-loop.ts';
import type { Supply } from '#main/engine/ports/supply.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { sandboxBodies } from '#main/sandbox/sandbox-bodies.ts';
import { sessionAgents, sessionBodies } from '#main/session/session-bodies.ts';
import { codeBodies } from '#main/workspace-code/code-bodies.ts';
import { ReplayTools } from './replay-tools.ts';

interface Recorded {
  /** Names of the tools that the run called. */
  readonly tools: Iterable<string>;
  /** The recorded time. */
  readonly now: () => number;
  /** What pins and mocks supplied. */
  readonly supply?: Supply;
}

/** Creates a context without side effects. */
export function replayContext({ tools, now, supply }: Recorded): RunContext {
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
    sandboxBodies,
    codeBodies,
    sessionBodies,
    sessionAgents,
    ...(supply && { supply }),
  };
}
