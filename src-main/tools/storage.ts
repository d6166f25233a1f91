import type { Context } from '#main/engine/ports/context.ts';
import { writeBytes } from '#main/platform/files/change-file.ts';
import { decodeText, hashOf, readBytes } from '#main/platform/files/file-access.ts';
import { type ResolvedPath, resolveReadable, resolveWritable } from '#main/platform/files/resolve-path.ts';
import { serializeChanges } from '#main/platform/files/serialize-changes.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { admitWrite, encodeText, previewChange } from './file-change.ts';
import { inputSchema } from './input-schema.ts';

interface StorageInput {
  readonly path: string;
  readonly action: 'read' | 'write' | 'append';
  readonly data: Json;
}

export const storageTool = builtInTool('storage', {
  description:
    'Reads, writes or appends to a text file in the working folder and creates missing folders. Data that is not a string is written as JSON.',
  input_schema: inputSchema(
    {
      path: { type: 'string', description: 'Path relative to the working folder' },
      action: { enum: ['read', 'write', 'append'], description: 'Default: read' },
      data: { description: 'Data to write or append; no line break is added' },
    },
    ['path'],
  ),
  output_schema: {
    type: 'object',
    properties: { content: { type: ['string', 'null'] }, success: { type: 'boolean' }, error: { type: 'string' } },
    required: ['content', 'success'],
  },
  admit: async (input, ctx) => {
    const { path, action } = storageInput(input);
    if (action !== 'read') return admitWrite(ctx, path);
    await resolveReadable(ctx, path);
    return 'never';
  },
  preview: async (input, ctx) => {
    const given = storageInput(input);
    return given.action === 'read' ? null : previewChange(ctx, given.path, (before, path) => newText(given, before, path));
  },
  call: async (input, ctx): Promise<Json> => {
    try {
      return { content: await perform(storageInput(input), ctx), success: true };
    } catch (error) {
      // A violation of the path rules is an error; ordinary file failures are a result.
      if (!(error instanceof ToolError) || error.variant !== 'Io') throw error;
      return { content: null, success: false, error: error.message };
    }
  },
});

/** Performs the action and returns the content that was read, written or appended. */
async function perform(input: StorageInput, ctx: Context): Promise<string | null> {
  if (input.action === 'read') {
    const path = await resolveReadable(ctx, input.path);
    const bytes = await readBytes(ctx, path);
    if (!bytes) throw new ToolError('Io', `${JSON.stringify(input.path)}: no such file or folder.`);
    return decodeText(path, bytes).replace(/^\uFEFF/, '');
  }
  const path = await resolveWritable(ctx, input.path);
  await serializeChanges(path.real, async () => {
    const before = input.action === 'append' ? await readBytes(ctx, path) : undefined;
    const text = newText(input, before ?? null, path);
    await writeBytes(ctx, path, encodeText('data', text), before === undefined ? undefined : hashOf(before));
  });
  return asText(input.data);
}

function newText(input: StorageInput, before: Buffer | null, path: ResolvedPath): string {
  return (input.action === 'append' && before ? decodeText(path, before) : '') + asText(input.data);
}

function storageInput(input: JsonObject): StorageInput {
  const { path, action, data } = input;
  return { path: path as string, action: (action as StorageInput['action'] | undefined) ?? 'read', data: data ?? '' };
}

function asText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
