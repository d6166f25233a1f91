import { writeBytes } from './files/change-file.ts';
import { admitWrite, encodeText, previewChange } from './files/file-change.ts';
import { oneChangeAtATime } from './files/one-change-at-a-time.ts';
import { resolveWritable } from './files/resolve-path.ts';
import { inputSchema } from './input-schema.ts';
import type { Tool } from './tool.ts';

export const writeFileTool: Tool = {
  name: 'write_file',
  description: 'Writes a text file of the working folder, replacing what was there; missing folders are made.',
  input_schema: inputSchema(
    {
      path: { type: 'string', description: 'Path relative to the working folder' },
      content: { type: 'string', description: 'The whole text' },
    },
    ['path', 'content'],
  ),
  output_schema: {
    type: 'object',
    properties: { path: { type: 'string' }, bytes: { type: 'integer' } },
    required: ['path', 'bytes'],
  },
  effect: 'write',
  approve: 'never',
  admit: (input, ctx) => admitWrite(ctx, input.path as string),
  preview: (input, ctx) => previewChange(ctx, input.path as string, () => input.content as string),
  call: async (input, ctx) => {
    const path = await resolveWritable(ctx, input.path as string);
    const bytes = encodeText('content', input.content as string);
    await oneChangeAtATime(path.real, () => writeBytes(ctx, path, bytes));
    return { path: path.raw, bytes: bytes.length };
  },
};
