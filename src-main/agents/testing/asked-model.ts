import { randomUUID } from 'node:crypto';
import type { ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { flowOf, type NodeSketch, quietContext } from '#main/engine/testing/flows.ts';
import { messageText } from '#main/models/message-text.ts';
import { memoryConversations } from '#main/sdk/memory-conversations.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';

export type Answer = string | MessagePart[] | Error;

/** A model that answers in this order, and remembers what it was sent. */
export class Asked {
  readonly requests: ModelRequest[] = [];
  readonly context: RunContext;
  readonly #answers: Answer[];

  constructor(answers: readonly Answer[], more: Partial<RunContext> = {}) {
    this.#answers = [...answers];
    const client = { complete: async (request: ModelRequest) => this.#answer(request) };
    this.context = quietContext({ models: () => client, newId: randomUUID, conversations: memoryConversations(), ...more });
  }

  /** What was said in the request with this number, from 0: `role: text`. */
  said(index: number): string[] {
    return (this.requests[index]?.messages ?? []).map((message) => `${message.role}: ${messageText(message)}`);
  }

  #answer(request: ModelRequest): ModelResponse {
    this.requests.push(request);
    const answer = this.#answers.shift() ?? 'nothing more to say';
    if (answer instanceof Error) throw answer;
    const content: MessagePart[] = typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer;
    const message: Message = { role: 'assistant', content };
    const calls = content.some(({ type }) => type === 'tool_call');
    return { message, finish_reason: calls ? 'tool' : 'stop', usage: { tokens_in: 10, tokens_out: 5 } };
  }
}

/** Settings of an agent that talks to a customer. */
export const chat = (more: Partial<AgentSettings> = {}): AgentSettings => ({
  model: 'test://model',
  mode: 'chat',
  prompt: '{text}',
  conversation: { scope: 'workspace', key: 'customer/{id}' },
  ...more,
});

/** An agent node. */
export function agent(from: string, to: string, settings: AgentSettings): NodeSketch {
  return { kind: 'agent', from: [from], to: [to], body: { type: 'agent', agent: settings } };
}

/** A flow of one agent. */
export const oneAgent = (settings = chat()): FlowGraph => flowOf([agent('A', 'Z', settings)]);
