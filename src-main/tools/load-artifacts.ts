import { listArtifacts, loadArtifact } from '#main/tools/stored-files/artifacts.ts';
import type { Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

/** Maximum characters of content in one result. */
const mostContent = 4 * 1024 * 1024;

export const loadArtifactsTool = builtInTool('load_artifacts', {
  description: 'Lists the artifacts of this run and this folder. Given names, also loads their content.',
  input_schema: inputSchema({
    filenames: { type: 'array', items: { type: 'string' }, maxItems: 50, description: 'Artifacts to load' },
    version: { type: 'integer', minimum: 0, description: 'Version to load; default: the latest' },
  }),
  output_schema: {
    type: 'object',
    properties: {
      available: {
        type: 'array',
        items: {
          type: 'object',
          properties: { filename: { type: 'string' }, versions: { type: 'integer' } },
          required: ['filename', 'versions'],
        },
      },
      artifacts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            filename: { type: 'string' },
            version: { type: 'integer' },
            media_type: { type: 'string' },
            content: { type: 'string', description: 'Text, or base64' },
            error: { type: 'string' },
          },
          required: ['filename'],
        },
      },
    },
    required: ['available', 'artifacts'],
  },
  call: async (input, ctx): Promise<Json> => {
    const owner = { scope: ctx, run_id: ctx.run_id };
    const { filenames = [], version } = input as { filenames?: string[]; version?: number };
    let room = mostContent;
    const artifacts: Json[] = [];
    for (const filename of filenames) {
      const found = await loadArtifact(owner, filename, version);
      room -= found?.content.length ?? 0;
      if (!found) artifacts.push({ filename, error: 'No such artifact or version.' });
      else if (room < 0) artifacts.push({ filename, error: 'Too large to load with the others. Load it on its own.' });
      else artifacts.push({ ...found });
    }
    return { available: await listArtifacts(owner), artifacts };
  },
});
