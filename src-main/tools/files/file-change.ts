import type { Context } from '#main/runtime/context.ts';
import type { ToolPreview } from '#main/tools/tool.ts';
import { ToolError } from '#shared/runtime/error.ts';
import { hashOf, readBytes } from './file-access.ts';
import { isListedWritable, type PathScope, type ResolvedPath, resolveWritable } from './resolve-path.ts';

/** Refuses a write that would be refused in any case; a protected path that the workspace lists as writable asks each time. */
export async function admitWrite(scope: PathScope, raw: string): Promise<'always' | 'never'> {
  return (await isListedWritable(scope, await resolveWritable(scope, raw))) ? 'always' : 'never';
}

/** Shows what a write would change: `change` makes the new text from the former bytes (null: no file). */
export async function previewChange(
  ctx: Context,
  raw: string,
  change: (before: Buffer | null, path: ResolvedPath) => string,
): Promise<ToolPreview> {
  const path = await resolveWritable(ctx, raw);
  const bytes = await readBytes(ctx, path);
  // What is no text is shown as well as it can be; the hash is of its bytes.
  const before = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { path: path.segments.join('/'), before, after: change(bytes, path), before_hash: hashOf(bytes) };
}

/** Text as the bytes of a file. Throws ToolError `Deserialize` for half of a surrogate pair, which no file can hold. */
export function encodeText(field: string, text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) throw new ToolError('Deserialize', `${field} holds half of a surrogate pair`, { details: { field } });
  return new TextEncoder().encode(text);
}
