import type { JsonSchema } from '#shared/json.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import { type AgentCall, type AgentCallOptions, callAgent } from './call-agent.ts';

/** Options of `ask`: those of `callAgent`, and what a request may have besides its text. */
export interface AskOptions extends AgentCallOptions {
  /** The system message. */
  readonly preamble?: string;
  /** Names of the tools that the agent may call. Default: none. */
  readonly tools?: readonly string[];
  /** Schema of the answer, which is then in `structured_output`. Default: text, in `content`. */
  readonly schema?: JsonSchema;
}

/** Asks an agent a single question: `callAgent` with a text. Never rejects; a failure is the response's `error`. */
export function ask(text: string, { preamble, tools, schema, ...options }: AskOptions): AgentCall {
  const message = (role: 'system' | 'user', words: string) => ({ role, content: [{ type: 'text' as const, text: words }] });
  const request: SystemRequest = {
    mode: schema === undefined ? 'chat' : 'structured',
    messages: [...(preamble === undefined ? [] : [message('system', preamble)]), message('user', text)],
    ...(tools && { tools: [...tools] }),
    ...(schema !== undefined && { output: { schema: schema as NonNullable<NonNullable<SystemRequest['output']>['schema']> } }),
  };
  return callAgent(request, options);
}
