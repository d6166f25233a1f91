import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { loadCodeFlow } from '#main/workspace-code/load-code-flow.ts';
import { callsPython } from '#shared/flow/calls-python.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import { decodeText } from './decode-text.ts';
import { type FlowEnvironmentOptions, flowEnvironment } from './flow-environment.ts';
import { type LoadedFlow, loadFlowText, realPath, unreadable } from './flow-loader.ts';
import { isWorkflowText } from './workflow-file.ts';

/**
 * Builds a flow of any kind from its file: a document or a workflow as `loadFlow` does, a flow in code in a separate process, in a trusted folder only. Its
 * `text` is then the form of a document (`documentOfGraph`).
 */
export async function openFlow(file: string, options: FlowEnvironmentOptions): Promise<LoadedFlow> {
  if (!isCodeFlow(file)) return withPythonProblems(await loadFlow(file, options), options);
  const absolute = resolve(options.folder, file);
  const path = workspacePath(options.folder, absolute);
  let code: Buffer;
  try {
    code = readFileSync(absolute);
  } catch (error) {
    return unreadable(path, whyUnreadable(file, error));
  }
  const real = realPath(absolute);
  if (!real.startsWith(options.folder + sep)) return unreadable(path, `${file} is outside the folder. Open the folder that contains it.`);
  const environment = flowEnvironment(options);
  const { files, ...flow } = await loadCodeFlow(options.folder, real, path, environment);
  return { ...flow, path, files: new Set([...files, ...environment.files]), sources: new Map([[path, code.toString('utf8')]]) };
}

/** A flow with the problem that its Python is missing, if so. */
export async function withPythonProblems(loaded: LoadedFlow, { folder, settings, trusted }: FlowEnvironmentOptions): Promise<LoadedFlow> {
  if (!trusted || !loaded.graph || !callsPython(loaded.graph)) return loaded;
  const { pythonProblems } = await import('./python-of-flow.ts');
  const problems = await pythonProblems(loaded.graph, { folder, settings, path: loaded.path });
  return problems.length > 0 ? { ...loaded, problems: [...loaded.problems, ...problems] } : loaded;
}

/** Builds the flow of a document or of a PyFlow workflow from its file. `file` is absolute or relative to the workspace. An unreadable file is reported as one `format` problem. */
export async function loadFlow(file: string, options: FlowEnvironmentOptions): Promise<LoadedFlow> {
  const absolute = resolve(options.folder, file);
  const path = workspacePath(options.folder, absolute);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(absolute);
  } catch (error) {
    return unreadable(path, whyUnreadable(file, error));
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) return unreadable(path, decoded.message);
  if (!isWorkflowText(path, decoded.text)) return openFlowText(decoded.text, path, options, [absolute]);
  // The compiler of workflows and the interpreter of their expressions cost every other start.
  const { loadWorkflow } = await import('./load-workflow.ts');
  return loadWorkflow(decoded.text, path, options, [absolute]);
}

/** A flow in code with what it was built from. */
export type LoadedCode = Pick<LoadedFlow, 'graph' | 'problems' | 'files'>;

/**
 * Builds a flow from a possibly unsaved text, as `loadFlowText` does, with the flows in code that it names: those of a trusted folder are loaded by `load`, by
 * default each in its own process.
 */
export async function openFlowText(
  text: string,
  path: string,
  options: FlowEnvironmentOptions,
  files: readonly string[] = [],
  load: (path: string) => Promise<LoadedCode> = (code) => openFlow(code, options),
): Promise<LoadedFlow> {
  const loaded = new Map<string, LoadedCode>();
  for (;;) {
    const missing = new Set<string>();
    const codeFlow = (code: string): LoadedCode | null => {
      const known = loaded.get(code);
      if (!known) missing.add(code);
      return known ?? null;
    };
    const flow = loadFlowText(text, path, { ...options, codeFlow }, files);
    if (missing.size === 0) {
      return loaded.size === 0
        ? flow
        : { ...flow, files: new Set([...flow.files, ...[...loaded.values()].flatMap((code) => [...code.files])]) };
    }
    await Promise.all([...missing].map(async (code) => loaded.set(code, await load(code))));
  }
}

/** Returns a path relative to the workspace, with `/`. A path outside remains recognizable as such. */
function workspacePath(folder: string, absolute: string): string {
  return relative(folder, realPath(absolute)).split(sep).join('/');
}

function whyUnreadable(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no file ${file}. Pass the path of a flow, which ends in .flow.yaml, .flow.json or .flow.ts.`;
  if (code === 'EISDIR') return `${file} is a folder. Pass the path of a flow inside it.`;
  return `Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`;
}
