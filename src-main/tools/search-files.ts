import type { RE2JS } from 're2js';
import { compileLinear } from '#main/engine/values/linear-pattern.ts';
import { decodeText, readBytes } from '#main/platform/files/file-access.ts';
import { compileGlob } from '#main/platform/files/glob.ts';
import { type PathScope, type ResolvedPath, resolvePath, resolveReadable } from '#main/platform/files/resolve-path.ts';
import { walkFiles } from '#main/platform/files/walk-files.ts';
import { ToolError } from '#shared/run/error.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

const defaultLimit = 100;
const maxLimit = 1000;
/** Maximum characters shown of a line. */
const lineLength = 500;
const searchMs = 30_000;

export const searchFilesTool = builtInTool('search_files', {
  description: 'Searches text files recursively for lines that match a regular expression (RE2 syntax: no lookaround, no backreferences).',
  input_schema: inputSchema(
    {
      query: { type: 'string', minLength: 1, maxLength: 1000, description: 'Regular expression' },
      path: { type: 'string', description: 'File or folder relative to the working folder; default: the working folder' },
      pattern: { type: 'string', description: 'Search only files that match this glob, relative to `path`' },
      limit: { type: 'integer', minimum: 1, maximum: maxLimit, description: `Maximum number of lines; default ${defaultLimit}` },
    },
    ['query'],
  ),
  output_schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, line: { type: 'integer' }, text: { type: 'string' } },
      required: ['path', 'line', 'text'],
    },
  },
  call: async (input, ctx) => {
    const query = await compileQuery(input.query as string);
    const start = await resolveReadable(ctx, (input.path as string | undefined) ?? '.');
    const matches = await compileGlob((input.pattern as string | undefined) ?? '**');
    const limit = (input.limit as number | undefined) ?? defaultLimit;
    const deadline = performance.now() + searchMs;
    const found: { path: string; line: number; text: string }[] = [];
    for await (const segments of walkFiles(ctx, start, ctx.signal)) {
      if (!matches(segments.slice(start.segments.length).join('/') || (segments.at(-1) ?? ''))) continue;
      const path = segments.join('/');
      for (const { line, text } of matchingLines(await textOf(ctx, path), query, deadline)) {
        found.push({ path, line, text });
        if (found.length === limit) return found;
      }
    }
    return found;
  },
});

async function compileQuery(query: string): Promise<RE2JS> {
  const { RE2JS: engine } = await import('re2js');
  try {
    return compileLinear(engine, query);
  } catch (error) {
    throw new ToolError('Deserialize', `The query is not a valid RE2 regular expression: ${(error as Error).message}`, {
      details: { field: 'query' },
    });
  }
}

/** A file's text; empty if the file is protected from reading, binary or too large. */
async function textOf(scope: PathScope, raw: string): Promise<string> {
  try {
    const path: ResolvedPath = await resolvePath(scope, raw);
    if (path.protection === 'secret') return '';
    const bytes = await readBytes(scope, path);
    return bytes ? decodeText(path, bytes) : '';
  } catch (error) {
    if (error instanceof ToolError) return '';
    throw error;
  }
}

function* matchingLines(text: string, query: RE2JS, deadline: number): Generator<{ line: number; text: string }> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line++;
    if (line % 1000 === 1 && performance.now() > deadline) {
      throw new ToolError('Timeout', `The search took longer than ${searchMs / 1000} s. Search a smaller folder or add a pattern.`);
    }
    const end = text.indexOf('\n', start);
    const content = text.slice(start, end === -1 ? text.length : end).replace(/\r$/, '');
    if (query.matcher(content).find()) yield { line, text: content.slice(0, lineLength) };
    start = end === -1 ? text.length : end + 1;
  }
}
