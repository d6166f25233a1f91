import type { Context } from '#main/engine/ports/context.ts';
import type { ToolPreview } from '#main/engine/ports/tool.ts';
import { hashOf, readBytes } from '#main/platform/files/file-access.ts';
import { isListedWritable, type PathScope, type ResolvedPath, resolveWritable } from '#main/platform/files/resolve-path.ts';
import { ToolError } from '#shared/run/error.ts';

/** Rejects writes that can never be allowed. Writing a protected path that the workspace lists as writable needs approval each time. */
export async function admitWrite(scope: PathScope, raw: string): Promise<'always' | 'never'> {
  return (await isListedWritable(scope, await resolveWritable(scope, raw))) ? 'always' : 'never';
}

/** Previews a write: `change` computes the new text from the current bytes (null: no file). */
export async function previewChange(
  ctx: Context,
  raw: string,
  change: (before: Buffer | null, path: ResolvedPath) => string,
): Promise<ToolPreview> {
  const path = await resolveWritable(ctx, raw);
  const bytes = await readBytes(ctx, path);
  // Binary content is shown on a best-effort basis; the hash covers its bytes.
  const before = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { path: path.segments.join('/'), before, after: change(bytes, path), before_hash: hashOf(bytes) };
}

/** Encodes text as UTF-8. Throws ToolError `Deserialize` for a lone surrogate, which UTF-8 cannot represent. */
export function encodeText(field: string, text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text))
    throw new ToolError('Deserialize', `${field} contains a lone surrogate, which cannot be encoded as UTF-8.`, { details: { field } });
  return new TextEncoder().encode(text);
}
