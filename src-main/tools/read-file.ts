import type { FileHandle } from 'node:fs/promises';
import { assertNotCancelled } from '#main/platform/assert-not-cancelled.ts';
import { notText, withOpenFile } from '#main/platform/files/file-access.ts';
import { type ResolvedPath, resolveReadable } from '#main/platform/files/resolve-path.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

/** Maximum characters to return, and maximum bytes to scan for the requested lines. */
const mostText = 8 * 1024 * 1024;
const mostScanned = 256 * 1024 * 1024;

export const readFileTool = builtInTool('read_file', {
  description:
    'Reads a UTF-8 text file in the working folder. `offset` is the number of lines to skip, `limit` the number of lines to read.',
  input_schema: inputSchema(
    {
      path: { type: 'string', description: 'Path relative to the working folder' },
      offset: { type: 'integer', minimum: 0, description: 'Number of lines to skip' },
      limit: { type: 'integer', minimum: 1, description: 'Number of lines to read' },
    },
    ['path'],
  ),
  output_schema: { type: 'string' },
  admit: async (input, ctx) => {
    await resolveReadable(ctx, input.path as string);
    return 'never';
  },
  call: async (input, ctx) => {
    const path = await resolveReadable(ctx, input.path as string);
    const lines = {
      skip: (input.offset as number | undefined) ?? 0,
      take: (input.limit as number | undefined) ?? Number.POSITIVE_INFINITY,
    };
    return withOpenFile(ctx, path, (handle) => readLines(handle, path, lines, ctx.signal));
  },
});

/** Reads the requested lines with their line endings, without buffering more of the file. Drops a leading byte-order mark. */
async function readLines(
  handle: FileHandle,
  path: ResolvedPath,
  wanted: { skip: number; take: number },
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunk = Buffer.alloc(256 * 1024);
  let text = '';
  let { skip, take } = wanted;
  for (let scanned = 0; take > 0; ) {
    assertNotCancelled(signal);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    scanned += bytesRead;
    if (scanned > mostScanned) throw tooMuch(path, `the requested lines are beyond its first ${mostScanned / 1024 / 1024} MiB.`);
    const part = decode(decoder, chunk.subarray(0, bytesRead), bytesRead === 0, path);
    for (let start = 0; start < part.length && take > 0; ) {
      const end = part.indexOf('\n', start) + 1 || part.length;
      if (skip === 0) text += part.slice(start, end);
      if (part[end - 1] === '\n') skip > 0 ? skip-- : take--;
      start = end;
    }
    if (text.length > mostText)
      throw tooMuch(path, `the result is larger than ${mostText / 1024 / 1024} MiB. Read a part of it with offset and limit.`);
    if (bytesRead === 0) break;
  }
  return text;
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, last: boolean, path: ResolvedPath): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream: !last });
  } catch {
    throw notText(path);
  }
  if (text.includes('\0')) throw notText(path);
  return text;
}

function tooMuch(path: ResolvedPath, reason: string): ToolError {
  return new ToolError('Io', `${JSON.stringify(path.raw)}: ${reason}`, { details: { path: path.raw } });
}
