import { writeBytes } from '#main/platform/files/change-file.ts';
import { decodeText, hashOf, readBytes } from '#main/platform/files/file-access.ts';
import { type ResolvedPath, resolveWritable } from '#main/platform/files/resolve-path.ts';
import { serializeChanges } from '#main/platform/files/serialize-changes.ts';
import type { JsonObject } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { admitWrite, encodeText, previewChange } from './file-change.ts';
import { inputSchema } from './input-schema.ts';

export const editFileTool = builtInTool('edit_file', {
  description:
    'Replaces exact text in a file in the working folder. `old` must occur exactly once, unless `all` is set to replace every occurrence.',
  input_schema: inputSchema(
    {
      path: { type: 'string', description: 'Path relative to the working folder' },
      old: { type: 'string', minLength: 1, description: 'Exact text to replace, including whitespace and line endings' },
      new: { type: 'string', description: 'Replacement text' },
      all: { type: 'boolean', description: 'Replace every occurrence' },
    },
    ['path', 'old', 'new'],
  ),
  output_schema: {
    type: 'object',
    properties: { path: { type: 'string' }, replacements: { type: 'integer' } },
    required: ['path', 'replacements'],
  },
  admit: (input, ctx) => admitWrite(ctx, input.path as string),
  preview: (input, ctx) => previewChange(ctx, input.path as string, (before, path) => edit(before, path, readEdit(input)).text),
  call: async (input, ctx) => {
    const path = await resolveWritable(ctx, input.path as string);
    return serializeChanges(path.real, async () => {
      const before = await readBytes(ctx, path);
      const { text, replacements } = edit(before, path, readEdit(input));
      await writeBytes(ctx, path, encodeText('new', text), hashOf(before));
      return { path: path.raw, replacements };
    });
  },
});

interface EditInput {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

function readEdit(input: JsonObject): EditInput {
  return { old: input.old as string, new: input.new as string, all: input.all === true };
}

function edit(before: Buffer | null, path: ResolvedPath, input: EditInput): { text: string; replacements: number } {
  if (!before)
    throw new ToolError('Io', `${JSON.stringify(path.raw)}: no such file or folder.`, {
      details: { path: path.raw, code: 'ENOENT' },
    });
  const pieces = decodeText(path, before).split(input.old);
  const replacements = pieces.length - 1;
  if (replacements === 0)
    throw new ToolError(
      'Other',
      `${JSON.stringify(path.raw)} does not contain the text of "old". Read the file and copy the text exactly.`,
    );
  if (replacements > 1 && !input.all) {
    throw new ToolError(
      'Other',
      `${JSON.stringify(path.raw)} contains the text of "old" ${replacements} times. Include more context to make it unique, or set "all".`,
    );
  }
  return { text: pieces.join(input.new), replacements };
}
