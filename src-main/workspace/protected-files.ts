import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, readBytes } from '#main/platform/files/file-access.ts';
import { type PathScope, resolvePath } from '#main/platform/files/resolve-path.ts';
import { walkFiles } from '#main/platform/files/walk-files.ts';
import { stripTypes } from '#main/sandbox/strip-types.ts';
import { isCodeFlow, isFlowFile } from '#shared/flow/flow-file.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { readModuleImports } from '#shared/flow/source/module-imports.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import { folderOf, resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { isWorkflowText } from './workflow-file.ts';

/** A folder with more files than this was opened by mistake (a home folder); looking through all of it would take a minute. */
const mostFiles = 100_000;
/** Extensions of modules whose imports are followed. */
const mostModules = 5000;
/** A flow that may call Python: it was imported, or has a session. */
const callsPython = /\b(?:pyflow|session)["']?\s*:/;
/** A tool of the folder's own, whether or not a flow names it yet. */
const ownTool = /^tools\/[^/]+\.(?:ts|mts|js|mjs)$/i;

/**
 * Real paths of the files in a folder from which any of its flows loads code: what `module`, `run_file` and `./tools/` name, the tools in
 * the folder `tools`, the files of the folder that these and flows in code import, and where a flow or a workflow calls Python, all `.py` files. A tool that
 * could write them would decide what the next run does. An unreadable flow is ignored. Unlike the studio's list of flows, this
 * includes hidden and deep folders and follows links: such flows can be run by name, too.
 */
export async function protectedFilesOf(folder: string, signal: AbortSignal = new AbortController().signal): Promise<Set<string>> {
  const scope: PathScope = { working_dir: folder, writable: [], protected_files: new Set() };
  const found = new Set<string>();
  const code: string[] = [];
  const python: string[] = [];
  let usesPython = false;
  let seen = 0;
  for await (const segments of walkFiles(scope, await resolvePath(scope, '.'), signal)) {
    if (++seen > mostFiles) break;
    const flow = segments.join('/');
    if (ownTool.test(flow)) code.push(flow);
    else if (isCodeFlow(flow)) code.push(...(await localImports(scope, flow)));
    else if (isFlowFile(flow)) {
      const text = await textOf(scope, flow);
      code.push(...filesNamedBy(text, flow));
      usesPython ||= callsPython.test(text);
    } else if (flow.endsWith('.py')) python.push(flow);
    else if (!usesPython && /\.ya?ml$/i.test(flow)) usesPython = isWorkflowText(flow, await textOf(scope, flow));
  }
  // What Python imports is known only when it runs, so all of the folder's modules are protected.
  if (usesPython) for (const file of python) found.add(await realpath(join(folder, file)).catch(() => join(folder, file)));
  const known = new Set<string>();
  for (let file = code.pop(); file !== undefined && known.size < mostModules; file = code.pop()) {
    if (known.has(file)) continue;
    known.add(file);
    const path = join(folder, file);
    found.add(await realpath(path).catch(() => path));
    code.push(...(await localImports(scope, file)));
  }
  return found;
}

/** Returns the workspace files that a module imports. */
async function localImports(scope: PathScope, module: string): Promise<string[]> {
  return readModuleImports(await textOf(scope, module), stripTypes).flatMap((name) => {
    const path = name.startsWith('./') || name.startsWith('../') ? resolveWorkspacePath(folderOf(module), name) : null;
    return path === null ? [] : [path];
  });
}

/** Paths relative to the workspace. */
function filesNamedBy(text: string, flow: string): string[] {
  const nodes = parseFlow(text, flow).outline.nodes ?? [];
  const bodies = nodes.flatMap(({ raw }) => [raw.module, raw.run_file]).map((path) => workspacePath(folderOf(flow), path));
  const tools = nodes.flatMap(({ raw }) => toolsOf(raw)).map((path) => workspacePath('', path));
  return [...bodies, ...tools].filter((path) => path !== null);
}

async function textOf(scope: PathScope, path: string): Promise<string> {
  try {
    const resolved = await resolvePath(scope, path);
    const bytes = await readBytes(scope, resolved);
    return bytes ? decodeText(resolved, bytes) : '';
  } catch {
    return '';
  }
}

function toolsOf(node: JsonObject): string[] {
  const agent = isJsonObject(node.agent) ? node.agent.tools : undefined;
  const uses = [node.tool, ...listOf(node.tools), ...listOf(agent)].map((use) => (isJsonObject(use) ? use.use : use));
  return uses.flatMap((name) => {
    const reference = typeof name === 'string' ? parseToolReference(name) : null;
    return reference?.type === 'file' ? [reference.path] : [];
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function workspacePath(from: string, path: Json | undefined): string | null {
  return typeof path === 'string' ? resolveWorkspacePath(from, path) : null;
}
