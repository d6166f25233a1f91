import { submitTool } from '#shared/flow/tool-use.ts';
import type { Message } from '#shared/run/message.ts';

/**
 * The tools that the grammar allows in the next turn. Small models repeat themselves: a tool called twice in a row with the same input is not
 * offered again, until only `submit` may be left. Reading a file again after a change does not count as repetition.
 */
export function toolsOnOffer<T extends { readonly name: string }>(tools: readonly T[], messages: readonly Message[]): readonly T[] {
  const calls = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? content.flatMap((part) => (part.type === 'tool_call' ? [part] : [])) : [],
  );
  const repeated = new Set(calls.filter((call, index) => isSame(call, calls[index - 1])).map(({ tool }) => tool));
  return tools.filter(({ name }) => name === submitTool || !repeated.has(name));
}

interface Call {
  readonly tool: string;
  readonly input: unknown;
}

function isSame(one: Call, other: Call | undefined): boolean {
  return other !== undefined && one.tool === other.tool && JSON.stringify(one.input) === JSON.stringify(other.input);
}
