import { saveArtifact } from '#main/tools/stored-files/artifacts.ts';
import { isText } from '#main/tools/stored-files/media-type.ts';
import type { Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

/** Maximum characters of an artifact. */
const largestContent = 8 * 1024 * 1024;

export const saveArtifactTool = builtInTool('save_artifact', {
  description:
    'Saves a result of this run under a name, as a new version if it exists. A name that starts with user: is shared by all runs of the folder.',
  input_schema: inputSchema(
    {
      filename: { type: 'string', description: 'Such as report.md or user:report.md, without folders' },
      content: { type: 'string', maxLength: largestContent, description: 'Text, or base64 for binary data' },
      media_type: { type: 'string', pattern: '^[a-z]+/[a-z0-9.+-]+$', description: 'Such as text/plain (the default) or image/png' },
    },
    ['filename', 'content'],
  ),
  output_schema: {
    type: 'object',
    properties: { filename: { type: 'string' }, version: { type: 'integer' } },
    required: ['filename', 'version'],
  },
  call: async (input, ctx): Promise<Json> => {
    const { filename, content, media_type = 'text/plain' } = input as { filename: string; content: string; media_type?: string };
    if (!isText(media_type) && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) {
      throw new ToolError('Deserialize', `Content of type ${media_type} must be base64.`, { details: { field: 'content' } });
    }
    return { filename, version: await saveArtifact({ scope: ctx, run_id: ctx.run_id }, filename, media_type, content) };
  },
});
