import { allMemories, type Memory, relevantMemories } from '#main/tools/stored-files/memories.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

const memories: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: { text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, saved_at: { type: 'string' } },
    required: ['text', 'tags', 'saved_at'],
  },
};

export const loadMemoryTool = builtInTool('load_memory', {
  description: 'Finds memories of this folder that share words with a query, most relevant first.',
  input_schema: inputSchema(
    {
      query: { type: 'string', minLength: 1, description: 'What to search for' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Maximum number of memories; default 10' },
    },
    ['query'],
  ),
  output_schema: { type: 'object', properties: { memories }, required: ['memories'] },
  call: async (input, ctx): Promise<Json> => {
    const found = relevantMemories(await allMemories(ctx), input.query as string, (input.limit as number | undefined) ?? 10);
    return { memories: found };
  },
});

/** Maximum characters of memories in one result. */
const mostText = 100_000;

export const preloadMemoryTool = builtInTool('preload_memory', {
  description: 'Loads all memories of this folder, oldest first. If there are too many, loads the latest.',
  input_schema: inputSchema({}),
  output_schema: {
    type: 'object',
    properties: { memories, left_out: { type: 'integer', description: 'Number of older memories left out' } },
    required: ['memories', 'left_out'],
  },
  call: async (_input, ctx): Promise<Json> => {
    const all = await allMemories(ctx);
    const kept: Memory[] = [];
    let length = 0;
    for (const memory of [...all].reverse()) {
      length += memory.text.length;
      if (length > mostText) break;
      kept.unshift(memory);
    }
    return { memories: kept, left_out: all.length - kept.length };
  },
});
