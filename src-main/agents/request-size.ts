import type { ToolDefinition } from '#main/engine/ports/model-client.ts';
import { messageText } from '#main/models/message-text.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';
import type { KeptVisit } from './kept-conversation.ts';

/** Characters a token, before a model has reported any. */
const usual = 4;

export type Measured = NonNullable<AgentState['measured']>;

/** What the agent's model last reported in this conversation; undefined where tokens are counted at four characters each. */
export function measuredOf({ settings }: AgentPlan, state: AgentState, visit: KeptVisit | undefined, url: string): Measured | undefined {
  if (!isMeasuring(settings)) return undefined;
  if (state.measured) return state.measured;
  const last = visit?.entries.findLast(({ entry }) => entry.model === url && entry.characters !== undefined && entry.tokens)?.entry;
  return last && { characters: last.characters as number, tokens: last.tokens as number };
}

/** Whether an agent's requests are measured by what its model reports or its provider counts. */
export function isMeasuring({ context }: AgentPlan['settings']): boolean {
  return context !== undefined && 'tokens' in context && context.count !== undefined;
}

/** Estimated number of tokens of this many characters. */
export function estimatedTokens(characters: number, measured: Measured | undefined): number {
  if (measured && characters === measured.characters) return measured.tokens;
  const ratio = measured && measured.tokens > 0 && measured.characters > 0 ? measured.characters / measured.tokens : usual;
  return Math.ceil(characters / ratio);
}

export function charactersOf(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + messageText(message).length, 0);
}

/** Characters of what a request contains besides its messages: tools and schema. */
export function charactersBeside(plan: AgentPlan, tools: readonly ToolDefinition[]): number {
  const texts = [...(tools.length > 0 ? [tools] : []), ...(plan.ends === 'answer' ? [plan.output.schema] : [])];
  return texts.reduce((total: number, value) => total + JSON.stringify(value).length, 0);
}
