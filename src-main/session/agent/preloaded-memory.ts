import type { Step } from '#main/engine/step/step.ts';
import type { Session } from '#main/session/state/session.ts';
import { allMemories, relevantMemories } from '#main/tools/stored-files/memories.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { toolUse } from '#shared/flow/tool-use.ts';

/** ADK's tool that no model calls: it puts memories into the system text. */
export const preloadTool = 'preload_memory';
const mostMemories = 10;

/** What the folder remembers of the message, for the system text of an agent that lists `preload_memory`. */
export async function preloadedMemory(step: Step, { tools = [] }: AgentSettings, { message }: Session): Promise<string[]> {
  if (message === '' || !tools.some((use) => toolUse(use).name === preloadTool)) return [];
  const memories = relevantMemories(await allMemories(step.ctx), message, mostMemories);
  if (memories.length === 0) return [];
  const lines = memories.map(({ text, saved_at }) => `Time: ${saved_at}\n${text}`);
  return [`What is remembered of earlier conversations. Use it if it helps to answer.\n<memories>\n${lines.join('\n')}\n</memories>`];
}
