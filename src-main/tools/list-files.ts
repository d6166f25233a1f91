import { compileGlob } from '#main/platform/files/glob.ts';
import { resolveReadable } from '#main/platform/files/resolve-path.ts';
import { walkFiles } from '#main/platform/files/walk-files.ts';
import { builtInTool } from './built-in-tool.ts';
import { inputSchema } from './input-schema.ts';

const defaultLimit = 1000;
const maxLimit = 10_000;

export const listFilesTool = builtInTool('list_files', {
  description:
    'Lists files recursively in a folder of the working folder, sorted. `pattern` is a glob such as *.md or src/**/*.ts, relative to `path`. Skips .git, .pravah and node_modules unless `path` is inside them.',
  input_schema: inputSchema({
    path: { type: 'string', description: 'Folder relative to the working folder; default: the working folder' },
    pattern: { type: 'string', description: 'List only paths that match this glob' },
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, description: `Maximum number of paths; default ${defaultLimit}` },
  }),
  output_schema: { type: 'array', items: { type: 'string' } },
  call: async (input, ctx) => {
    const start = await resolveReadable(ctx, (input.path as string | undefined) ?? '.');
    const matches = await compileGlob((input.pattern as string | undefined) ?? '**');
    const limit = (input.limit as number | undefined) ?? defaultLimit;
    const paths: string[] = [];
    for await (const segments of walkFiles(ctx, start, ctx.signal)) {
      if (!matches(segments.slice(start.segments.length).join('/') || (segments.at(-1) ?? ''))) continue;
      paths.push(segments.join('/'));
      if (paths.length === limit) break;
    }
    return paths;
  },
});
