import nodeModule from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** URLs of the loaded files. */
const loaded = new Set<string>();

/**
 * Resolves the imports of the workspace's code. `pravah` and `pravah-studio/runtime` are always this program's own, so that a flow is built by
 * the engine that runs it; `zod` is the workspace's, with ours as the fallback. Node strips types; where it cannot (some Electron builds), the package of the
 * same stripper does, with identical results including whitespace.
 */
export async function followLoading(): Promise<void> {
  const runtime = new URL('../../sdk/runtime.ts', import.meta.url).href;
  const strip = process.features.typescript ? null : await stripper();
  // Node before 22.15: plain modules still run.
  nodeModule.registerHooks?.({
    resolve(specifier, context, next) {
      if (specifier === 'pravah' || specifier === 'pravah-studio/runtime') return { url: runtime, shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^zod(?:\/|$)/.test(specifier)) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
    load(url, context, next) {
      if (url.startsWith('file:')) loaded.add(url);
      return strip && /\.m?ts$/.test(url) ? { format: 'module', source: strip(url), shortCircuit: true } : next(url, context);
    },
  });
}

/** Returns the path of a file of the workspace, without packages, by its URL; undefined for other files. */
export function workspaceFile(url: string): string | undefined {
  const file = fileURLToPath(url.replace(/\?.*$/, ''));
  return file.startsWith(`${process.cwd()}${sep}`) && !file.includes(`${sep}node_modules${sep}`) ? file : undefined;
}

/** Real paths of the loaded files below a folder, without packages. */
export function loadedFiles(folder: string): string[] {
  const within = `${folder}${sep}`;
  return [...loaded]
    .map((url) => fileURLToPath(url))
    .filter((file) => file.startsWith(within) && !file.includes(`${sep}node_modules${sep}`))
    .sort();
}

/** Loads a file once per process. */
export function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>;
}

async function stripper(): Promise<(url: string) => string> {
  const [{ stripTypes }, { readFileSync }] = await Promise.all([import('#main/sandbox/strip-types.ts'), import('node:fs')]);
  return (url) => {
    const stripped = stripTypes(readFileSync(fileURLToPath(url), 'utf8'));
    if (stripped.ok) return stripped.code;
    const { message, line, column } = stripped.fault;
    throw new SyntaxError(`${message} (${fileURLToPath(url)}, line ${line}, column ${column})`);
  };
}
