import { saveMemory } from '#main/tools/stored-files/memories.ts';
import type { Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

export const saveMemoryTool = builtInTool('save_memory', {
  description: 'Saves a text as a memory of this folder, also for later runs. Find it with load_memory.',
  input_schema: inputSchema(
    {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 20_000,
        description: 'Text to remember. Must be understandable without the conversation',
      },
      tags: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 20, description: 'Additional words to find it by' },
    },
    ['text'],
  ),
  output_schema: { type: 'object', properties: { saved: { type: 'boolean' } }, required: ['saved'] },
  call: async (input, ctx): Promise<Json> => {
    const saved_at = new Date(ctx.clock.now()).toISOString();
    const id = `${saved_at.replace(/[:.]/g, '-')}-${ctx.newId()}`;
    await saveMemory(ctx, id, { text: input.text as string, tags: (input.tags as string[] | undefined) ?? [], saved_at });
    return { saved: true };
  },
});
