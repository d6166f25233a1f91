import { writeBytes } from '#main/platform/files/change-file.ts';
import { resolveWritable } from '#main/platform/files/resolve-path.ts';
import { serializeChanges } from '#main/platform/files/serialize-changes.ts';
import { builtInTool } from './built-in-tool.ts';
import { admitWrite, encodeText, previewChange } from './file-change.ts';
import { inputSchema } from './input-schema.ts';

export const writeFileTool = builtInTool('write_file', {
  description: 'Writes a text file in the working folder, replacing existing content, and creates missing folders.',
  input_schema: inputSchema(
    {
      path: { type: 'string', description: 'Path relative to the working folder' },
      content: { type: 'string', description: 'Complete text of the file' },
    },
    ['path', 'content'],
  ),
  output_schema: {
    type: 'object',
    properties: { path: { type: 'string' }, bytes: { type: 'integer' } },
    required: ['path', 'bytes'],
  },
  admit: (input, ctx) => admitWrite(ctx, input.path as string),
  preview: (input, ctx) => previewChange(ctx, input.path as string, () => input.content as string),
  call: async (input, ctx) => {
    const path = await resolveWritable(ctx, input.path as string);
    const bytes = encodeText('content', input.content as string);
    await serializeChanges(path.real, () => writeBytes(ctx, path, bytes));
    return { path: path.raw, bytes: bytes.length };
  },
});
