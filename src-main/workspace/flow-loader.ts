import { readFileSync, realpathSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { loadCodeFlow } from '#main/workspace-code/load-code-flow.ts';
import { type BuiltFlow, buildFlow } from '#shared/flow/build-flow.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { lineOfPointer } from '#shared/pyflow/read-workflow.ts';
import { decodeText } from './decode-text.ts';
import { type FlowEnvironmentOptions, flowEnvironment } from './flow-environment.ts';
import { projectTools } from './project-tools.ts';
import { agentFlowPath, compileWorkflowText, isWorkflowText } from './workflow-loader.ts';

/** A flow built from disk. */
export interface LoadedFlow extends BuiltFlow {
  /** Path of the document, relative to the workspace, with `/`. */
  readonly path: string;
  /** The document's text; empty when it could not be read. */
  readonly text: string;
  /** Real paths of the document and of every file that was read to build it. No tool may write these. */
  readonly files: ReadonlySet<string>;
  /** Texts of the files that it was built from, except its document, by path relative to the workspace. */
  readonly sources: ReadonlyMap<string, string>;
  /** Of a PyFlow workflow, for each node of the document the JSON Pointer of what it came from. */
  readonly origins?: readonly string[];
}

/** Builds a flow from its file. `file` is absolute or relative to the workspace. An unreadable file is reported as one `format` problem. */
export function loadFlow(file: string, options: FlowEnvironmentOptions): LoadedFlow {
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
  if (isWorkflowText(path, decoded.text)) return loadWorkflow(decoded.text, path, options, [absolute]);
  return loadFlowText(decoded.text, path, options, [absolute]);
}

/** Builds a flow from a possibly unsaved text; `path` is its location relative to the workspace. */
export function loadFlowText(text: string, path: string, options: FlowEnvironmentOptions, files: readonly string[] = []): LoadedFlow {
  const environment = flowEnvironment(options);
  const built = buildFlow(parseFlow(text, path), environment);
  return { ...built, path, text, files: new Set([...files.map(realPath), ...environment.files]), sources: environment.texts() };
}

/**
 * Builds a flow of either kind from its file: a document as `loadFlow` does, a flow in code in a separate process, in a trusted folder only. Its
 * `text` is then the form of a document (`documentOfGraph`).
 */
export async function openFlow(file: string, options: FlowEnvironmentOptions): Promise<LoadedFlow> {
  if (!isCodeFlow(file)) return loadFlow(file, options);
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

/** Builds the flow of a PyFlow workflow, compiled in memory. Its `text` is the flow's document as JSON, with every problem at the workflow's path. */
export function loadWorkflow(text: string, path: string, options: FlowEnvironmentOptions, files: readonly string[] = []): LoadedFlow {
  const compiled = compileWorkflowText(text, { source: basename(path), flow: path }, { projectTools: projectTools(options.folder, path) });
  const found = compiled.problems.map((problem): Problem => ({ ...problem, nodes: [] }));
  const { flow, tools } = compiled;
  if (!flow) return { ...unreadable(path, ''), problems: found };
  const overlay = new Map([...tools].map(([agent, { document }]) => [agentFlowPath(path, agent), JSON.stringify(document)]));
  const loaded = loadFlowText(JSON.stringify(flow.document), path, { ...options, overlay }, files);
  const ofFlow = workflowProblems(loaded.problems, flow.origins).map((problem) => ({
    ...problem,
    line: lineOfPointer(text, problem.path),
  }));
  return { ...loaded, problems: [...found, ...ofFlow], origins: flow.origins };
}

/** Problems of a compiled flow at the paths of its workflow. */
export function workflowProblems(problems: readonly Problem[], origins: readonly string[]): Problem[] {
  return problems.map(({ fixes: _ofTheFlow, ...problem }) => ({ ...problem, path: originOf(origins, problem.path) }));
}

/** The workflow's path of a problem in the flow. */
function originOf(origins: readonly string[], path: string): string {
  const node = /^\/nodes\/(\d+)/.exec(path)?.[1];
  return node === undefined ? '' : (origins[Number(node)] ?? '');
}

/** Returns a path relative to the workspace, with `/`. A path outside remains recognizable as such. */
function workspacePath(folder: string, absolute: string): string {
  return relative(folder, realPath(absolute)).split(sep).join('/');
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function unreadable(path: string, message: string): LoadedFlow {
  const problem: Problem = { code: 'format', severity: 'error', message, nodes: [], path: '' };
  return { graph: null, problems: [problem], terminals: [], node_count: 0, path, text: '', files: new Set(), sources: new Map() };
}

function whyUnreadable(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no file ${file}. Pass the path of a flow, which ends in .flow.yaml, .flow.json or .flow.ts.`;
  if (code === 'EISDIR') return `${file} is a folder. Pass the path of a flow inside it.`;
  return `Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`;
}
