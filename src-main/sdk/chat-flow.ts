import { sha256 } from '#main/engine/values/sha256.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { literalTemplate } from '#shared/flow/template.ts';
import { canonicalJson, type JsonSchema, toJson } from '#shared/json.ts';

/** What the agent of a chat may be told besides its model. As in a flow's `agent`; texts are texts, not templates. */
export type ChatSettings = Pick<
  AgentSettings,
  'preamble' | 'memory' | 'context' | 'params' | 'limits' | 'output' | 'trust_content' | 'guards' | 'stall'
>;

const message = 'Message';
const reply = 'Reply';
const textReply: JsonSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/** The flow of one message of a chat: an agent that keeps the conversation. With a schema, its answer is a value of it. */
export function chatFlow(
  model: string,
  conversation: string,
  settings: ChatSettings,
  tools: NonNullable<AgentSettings['tools']>,
  schema: JsonSchema | undefined,
  body: Pick<Extract<NodeBody, { type: 'agent' }>, 'message_key' | 'compacts' | 'summariser'>,
): FlowGraph {
  const { preamble, memory, ...others } = settings;
  const agent: AgentSettings = {
    ...others,
    model,
    mode: schema === undefined ? 'chat' : 'structured',
    prompt: '{text}',
    tools: [...tools],
    conversation: { scope: 'workspace', key: literalTemplate(conversation) },
    ...(preamble !== undefined && { preamble: literalTemplate(preamble) }),
    ...(memory !== undefined && { memory: literalTemplate(memory) }),
  };
  const output = schema ?? textReply;
  return {
    name: 'chat',
    input: message,
    output: reply,
    schemas: { [message]: textReply, [reply]: output },
    nodes: [{ id: message, kind: 'agent', from: [message], to: [reply], body: { type: 'agent', agent, ...body }, path: '/nodes/0' }],
    limits: defaultLimits,
    hash: sha256(canonicalJson(toJson([agent, output]))),
  };
}
