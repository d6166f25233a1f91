import type { Json, JsonObject } from '#shared/json.ts';
import { inputSchema } from './input-schema.ts';
import { allMemories, type Memory, relevantMemories } from './kept/memories.ts';
import type { Tool } from './tool.ts';

const memories: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, saved_at: { type: 'string' } },
    required: ['text', 'tags', 'saved_at'],
  },
};

export const loadMemoryTool: Tool = {
  name: 'load_memory',
  description: 'Finds what was remembered in this folder by the words of a query, the most fitting first.',
  input_schema: inputSchema(
    {
      query: { type: 'string', minLength: 1, description: 'What it is about' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most memories; default 10' },
    },
    ['query'],
  ),
  output_schema: { type: 'object', properties: { memories }, required: ['memories'] },
  effect: 'read',
  approve: 'never',
  call: async (input, ctx): Promise<Json> => {
    const found = relevantMemories(await allMemories(ctx), input.query as string, (input.limit as number | undefined) ?? 10);
    return { memories: found };
  },
};

/** Characters of memories that are loaded at once. */
const MOST_TEXT = 100_000;

export const preloadMemoryTool: Tool = {
  name: 'preload_memory',
  description: 'Everything that was remembered in this folder, the oldest first; of very much, the latest.',
  input_schema: inputSchema({}),
  output_schema: {
    type: 'object',
    properties: { memories, left_out: { type: 'integer', description: 'Older ones that had no room' } },
    required: ['memories', 'left_out'],
  },
  effect: 'read',
  approve: 'never',
  call: async (_input, ctx): Promise<Json> => {
    const all = await allMemories(ctx);
    const kept: Memory[] = [];
    let length = 0;
    for (const memory of [...all].reverse()) {
      length += memory.text.length;
      if (length > MOST_TEXT) break;
      kept.unshift(memory);
    }
    return { memories: kept, left_out: all.length - kept.length };
  },
};
