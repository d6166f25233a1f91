import { createHash } from 'node:crypto';
import type { AgentCallOptions } from '#main/api/call-agent.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { canonicalJson, type Json, type JsonSchema } from '#shared/json.ts';
import type { Message } from '#shared/runtime/message.ts';
import type { SystemRequest } from '#shared/runtime/system-request.ts';

/** The state that a request's agent begins with, and the one that it ends in. */
export const requestState = 'Request';
const responseState = 'Response';

/** A flow of the one agent that a request asks for. */
export function agentFlow(request: SystemRequest, schema: JsonSchema, options: AgentCallOptions): FlowGraph {
  const { hints = {}, output = {}, mode, messages } = request;
  const { max_tokens, temperature, top_p, options: vendor, timeout_seconds } = hints;
  const params = { ...defined({ max_tokens, temperature, top_p }), ...(vendor && { options: vendor }) };
  const contract = defined({ repair: output.repair_allowed, strict: output.strict_validation, grammar: output.grammar });
  const agent: AgentSettings = {
    model: options.model,
    mode,
    tools: request.tools?.length ? request.tools : [...options.context.tools.keys()],
    params,
    output: contract,
    ...(timeout_seconds !== undefined && { limits: { seconds: timeout_seconds } }),
    ...(options.redundant && { redundant: options.redundant }),
    ...(options.plan && { plan: options.plan }),
    ...(mode === 'plan' && planTexts(messages)),
  };
  const body = { type: 'agent', agent, ...(mode !== 'plan' && { opening: messages }) } as const;
  const node = { id: requestState, kind: 'agent', from: [requestState], to: [responseState], body, path: '/nodes/0' } as const;
  return expandAgents({
    name: 'request',
    input: requestState,
    output: responseState,
    schemas: { [requestState]: true, [responseState]: schema },
    nodes: [node],
    limits: defaultLimits,
    hash: createHash('sha256')
      .update(canonicalJson([agent, schema] as unknown as Json))
      .digest('hex'),
  });
}

/** A conversation as the preamble and the prompt of a planner: its steps each have a conversation of their own. */
function planTexts(messages: readonly Message[]): Pick<AgentSettings, 'preamble' | 'prompt'> {
  const text = ({ content }: Message) => content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const literal = (value: string) => value.replaceAll('{', '{{').replaceAll('}', '}}');
  const system = messages.filter(({ role }) => role === 'system').map(text);
  const rest = messages.filter(({ role }) => role !== 'system');
  const [only] = rest;
  const prompt = only && rest.length === 1 ? text(only) : rest.map((message) => `${message.role}: ${text(message)}`).join('\n\n');
  return { ...(system.length > 0 && { preamble: literal(system.join('\n\n')) }), prompt: literal(prompt) };
}

function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
