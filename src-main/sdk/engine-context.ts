import { agentLoop } from '#main/agents/agent-loop.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { randomId } from '#main/engine/values/random-id.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ContextOptions } from './context-options.ts';
import { memoryConversations } from './memory-conversations.ts';

/** What runs without files, processes and a network of their own can do. See `ContextOptions`. */
export type EngineContextOptions = Pick<
  ContextOptions,
  | 'tools'
  | 'approve'
  | 'models'
  | 'conversations'
  | 'secrets'
  | 'signal'
  | 'clock'
  | 'newId'
  | 'onEvent'
  | 'onAhead'
  | 'onListenerError'
  | 'onSuspend'
>;

/**
 * Creates a context for runs in a browser, a worker or an edge runtime: with the program's own tools, models and services. It has no folder, no sandbox, no built-in
 * tools and no journal.
 */
export function createContext<Services extends object>(
  options: EngineContextOptions & { readonly services: Services },
): Context & { readonly services: Services };
export function createContext(options?: EngineContextOptions & { readonly services?: ContextOptions['services'] }): Context;
export function createContext(options: EngineContextOptions & { readonly services?: object } = {}): Context {
  const { tools = [], services = {}, models = () => undefined } = options;
  const context: RunContext = {
    working_dir: '',
    commands: [],
    writable: [],
    allow_hosts: [],
    allow_private: [],
    approve: options.approve ?? {},
    protected_files: new Set(),
    trusted: false,
    from_program: true,
    secrets: new Map(Object.entries(options.secrets ?? {})),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    models: async (url) => {
      const client = await models(url);
      if (client) return client;
      const message = `No model for ${url}: pravah/engine has no model clients. Pass one: createContext({ models: (url) => client }).`;
      throw new FlowError('AgentError', message, { code: 'CONFIG_NO_ENGINE' });
    },
    signal: options.signal ?? new AbortController().signal,
    clock: options.clock ?? Date,
    newId: options.newId ?? randomId,
    onEvent: options.onEvent,
    ...(options.onAhead && { onAhead: options.onAhead }),
    onListenerError: options.onListenerError,
    onSuspend: options.onSuspend,
    services: services as Readonly<Record<string, unknown>>,
    conversations: options.conversations ?? memoryConversations(),
    agentLoop,
  };
  return context;
}
