import type { Context } from '#main/engine/ports/context.ts';
import { ToolError } from '#shared/run/error.ts';
import { decodeText, readBytes } from './file-access.ts';
import { resolveReadable } from './resolve-path.ts';

/** Where a folder has the grammars that its agents use by name. */
const grammarFolder = 'resources/grammars';

/** The grammars that agents use by name: those of a program, then the files `resources/grammars/NAME.gbnf` of the folder, if there is one. */
export function namedGrammars(folder: string | undefined, own: Readonly<Record<string, string>> = {}): NonNullable<Context['grammars']> {
  return async (name) => {
    if (Object.hasOwn(own, name)) return own[name];
    if (folder === undefined || !/^[A-Za-z0-9_-]+$/.test(name)) return undefined;
    const scope = { working_dir: folder, writable: [], protected_files: new Set<string>() };
    try {
      const path = await resolveReadable(scope, `${grammarFolder}/${name}.gbnf`);
      const bytes = await readBytes(scope, path);
      return bytes ? decodeText(path, bytes) : undefined;
    } catch (error) {
      if (error instanceof ToolError && error.variant === 'Io') return undefined;
      throw error;
    }
  };
}
