import type { Context } from '#main/engine/ports/context.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { type GuardsInCode, splitGuards } from '#main/sdk/builder/agent-functions.ts';
import { type PlanInCode, splitPlan } from '#main/sdk/builder/plan-options.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { expandAgents } from '#shared/flow/expansion/expand-agents.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import { canonicalJson, type JsonSchema, toJson } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import type { AgentTool } from './agent-tools.ts';

/** The input and output states of a request's agent. */
export const requestState = 'Request';
const responseState = 'Response';

/** The agent that answers a request: model, tools, and voting or planning settings (as in a flow document). */
export interface AskedAgent {
  /** Model URL (`openai://gpt-4o`, …). */
  readonly model: string;
  readonly context: Context;
  readonly redundant?: AgentSettings['redundant'];
  /** How a request of mode `plan` is planned. */
  readonly plan?: PlanInCode;
  /** Checks of what goes in and out. Their expressions read the output alone: a request has no fields. */
  readonly guards?: GuardsInCode;
  /** Whether tools that write run without approval after reading external content (`http_request`, `scrape_url`, …). Default: false. */
  readonly trust_content?: boolean;
}

/** Creates a flow with the agent of a request. */
export function agentFlow(request: SystemRequest, schema: JsonSchema, asked: AskedAgent, tools: readonly AgentTool[]): FlowGraph {
  const { hints = {}, output = {}, mode, messages } = request;
  const { max_tokens, temperature, top_p, options, timeout_seconds } = hints;
  const params = { ...defined({ max_tokens, temperature, top_p }), ...(options && { options }) };
  const contract = defined({ repair: output.repair_allowed, strict: output.strict_validation, grammar: output.grammar });
  const { plan, plan_parts } = splitPlan(asked.plan);
  const { guards, functions } = splitGuards(asked.guards);
  const agent: AgentSettings = {
    model: asked.model,
    mode,
    tools: [...tools],
    ...(asked.trust_content && { trust_content: true }),
    params,
    output: contract,
    ...(timeout_seconds !== undefined && { limits: { seconds: timeout_seconds } }),
    ...(asked.redundant && { redundant: asked.redundant }),
    ...(plan && { plan }),
    ...(guards && { guards }),
    ...(mode === 'plan' && planTexts(messages)),
  };
  const body = { type: 'agent', agent, ...functions, ...(mode === 'plan' ? plan_parts && { plan_parts } : { opening: messages }) } as const;
  const node = { id: requestState, kind: 'agent', from: [requestState], to: [responseState], body, path: '/nodes/0' } as const;
  return expandAgents({
    name: 'request',
    input: requestState,
    output: responseState,
    schemas: { [requestState]: true, [responseState]: schema },
    nodes: [node],
    limits: defaultLimits,
    hash: sha256(canonicalJson(toJson([agent, schema]))),
  });
}

/** Converts a conversation to the preamble and prompt of a planner, because each of its steps has its own conversation. */
function planTexts(messages: readonly Message[]): Pick<AgentSettings, 'preamble' | 'prompt'> {
  const text = ({ content }: Message) => content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const system = messages.filter(({ role }) => role === 'system').map(text);
  const rest = messages.filter(({ role }) => role !== 'system');
  const [only] = rest;
  const prompt = only && rest.length === 1 ? text(only) : rest.map((message) => `${message.role}: ${text(message)}`).join('\n\n');
  return { ...(system.length > 0 && { preamble: literalTemplate(system.join('\n\n')) }), prompt: literalTemplate(prompt) };
}

function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
