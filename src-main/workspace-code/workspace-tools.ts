import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ModuleError, ModuleOutcome } from '#main/engine/ports/code-process.ts';
import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import { cancelled } from '#main/engine/step/cancelled.ts';
import { defaultToolTimeout, timedOut } from '#main/engine/tool-calls/tool-time.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { faultIn, toolDescriptionSchema } from './description-schemas.ts';
import type { ToolDescription, ToolRequest } from './messages.ts';
import { ModuleProcess } from './module-process.ts';

/** Time limit for loading a tool's file, in seconds. */
const loadingPatience = 15;
const toolFile = /\.(?:ts|mts|js|mjs)$/;
const otherThanTools = /\.(?:d|test|spec)\.[a-z]+$/;

/** A loaded tool file and its description. */
interface Loaded {
  readonly stamp: string;
  readonly tool: Promise<Tool>;
  /** The process that loaded the file; restarted for a call if it has ended. */
  child: ModuleProcess;
}

/** A workspace tool, or why its file is invalid. */
export type FoundTool =
  | { readonly name: string; readonly tool: Tool; readonly problem?: undefined }
  | { readonly name: string; readonly tool?: undefined; readonly problem: string };

/**
 * The tools of a trusted workspace: files that export the result of `defineTool`, named by their path (`./tools/crm.ts`). Each runs in its own
 * process, which is reused for the next call and restarted if it has ended or the file has changed.
 */
export class WorkspaceTools {
  /** Real path. */
  readonly #folder: string;
  readonly #loaded = new Map<string, Loaded>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The tools used by a flow's nodes, including nested flows. Throws `FlowError` `BuildError` for a tool that cannot be loaded. */
  async toolsOf(graph: FlowGraph): Promise<Tool[]> {
    const names = new Set<string>();
    collectNames(graph, names);
    return Promise.all([...names].map((name) => this.tool(name)));
  }

  /** Returns a tool by name. Throws `FlowError` `BuildError` if its file cannot be loaded. */
  async tool(name: string): Promise<Tool> {
    const file = this.#file(name);
    const stamp = stampOf(file);
    const known = this.#loaded.get(name);
    if (known?.stamp === stamp) return known.tool;
    known?.child.dispose('its file was changed');
    const child = new ModuleProcess(this.#folder);
    const tool = this.#describe(name, file, child);
    const loaded = { stamp, child, tool };
    this.#loaded.set(name, loaded);
    tool.catch(() => {
      if (this.#loaded.get(name) === loaded) this.#loaded.delete(name);
    });
    return tool;
  }

  /** Lists all tools in the folder `tools`, sorted by name. Links are not followed. */
  async list(): Promise<FoundTool[]> {
    const entries = await readdir(join(this.#folder, 'tools'), { withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isFile() && toolFile.test(entry.name) && !otherThanTools.test(entry.name))
      .map((entry) => `./tools/${entry.name}`)
      .sort();
    return Promise.all(
      names.map(async (name): Promise<FoundTool> => {
        try {
          return { name, tool: await this.tool(name) };
        } catch (error) {
          return { name, problem: error instanceof Error ? error.message : String(error) };
        }
      }),
    );
  }

  /** Ends the processes. Pending calls fail; later calls start new processes. */
  close(): void {
    for (const { child } of this.#loaded.values()) child.dispose();
  }

  async #process(name: string): Promise<ModuleProcess> {
    await this.tool(name);
    const loaded = this.#loaded.get(name);
    if (!loaded) throw new ToolError('Missing', `${name} is no longer available: its file has changed and cannot be loaded.`);
    if (!loaded.child.usable) loaded.child = new ModuleProcess(this.#folder);
    return loaded.child;
  }

  #file(name: string): string {
    const path = resolveWorkspacePath('', name);
    const real = path === null ? null : realPath(join(this.#folder, path));
    if (real?.startsWith(this.#folder + sep)) return real;
    throw unusable(name, real === null && path !== null ? 'does not exist' : 'is outside the folder');
  }

  async #describe(name: string, file: string, child: ModuleProcess): Promise<Tool> {
    const late = `it did not finish loading within ${loadingPatience} seconds`;
    const timer = setTimeout(() => child.dispose(late), loadingPatience * 1000);
    let outcome: ModuleOutcome;
    try {
      outcome = await child.request({ type: 'describe_tool', file });
    } catch (error) {
      throw unusable(name, `cannot be loaded: ${messageOf(error)}`);
    } finally {
      clearTimeout(timer);
    }
    const value = 'value' in outcome ? outcome.value : undefined;
    const fault = 'error' in outcome ? errorText(outcome.error) : faultIn(toolDescriptionSchema, value);
    if (fault === null) return this.#asTool(name, file, value as ToolDescription);
    child.dispose();
    throw unusable(name, `cannot be loaded: ${fault}`);
  }

  #asTool(name: string, file: string, { timeout, resumes, name: _own, ...described }: ToolDescription): Tool {
    const seconds = timeout ?? defaultToolTimeout;
    const call = (method: ToolRequest['method'], args: readonly Json[], ctx: ToolContext) =>
      this.#call(name, seconds, { file, method, args }, ctx);
    return {
      ...described,
      name,
      call: (input: JsonObject, ctx: ToolContext) => call('call', [input], ctx),
      ...(resumes && { resume: (input: JsonObject, payload: Json, ctx: ToolContext) => call('resume', [input, payload], ctx) }),
    };
  }

  async #call(name: string, seconds: number, request: Pick<ToolRequest, 'file' | 'method' | 'args'>, ctx: ToolContext): Promise<Json> {
    const { node, tool_call_id, working_dir, signal } = ctx;
    if (signal.aborted) throw cancelled(node);
    const child = await this.#process(name);
    let late = false;
    const stop = (): void => child.dispose('the run was cancelled');
    const timer = setTimeout(() => {
      late = true;
      child.dispose(`a call of ${name} took longer than ${seconds} seconds`);
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const listener = { log: (values: readonly Json[]) => ctx.log(String(values[0])) };
      return resultOf(name, await child.request({ type: 'call_tool', ...request, node, tool_call_id, working_dir }, listener), ctx);
    } catch (error) {
      if (signal.aborted) throw cancelled(node);
      if (late) throw timedOut(name, seconds);
      if (child.usable) throw error;
      throw new ToolError('Other', `${name} failed: ${messageOf(error)}.`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
}

function resultOf(name: string, outcome: ModuleOutcome, ctx: ToolContext): Json {
  if ('suspend' in outcome) return ctx.suspend(outcome.suspend, outcome.payload_schema);
  if ('impure' in outcome) {
    const { path, message } = outcome.impure;
    throw new ToolError('Serialize', `The result of ${name} contains ${message}${path && ` (at ${path})`}.`, { details: { path } });
  }
  if ('value' in outcome) return outcome.value as Json;
  const { error } = outcome;
  const details: JsonObject = error.stack === undefined ? {} : { stack: error.stack };
  const options = { details, ...(error.retryable !== undefined && { retryable: error.retryable }) };
  throw new ToolError('Other', `${name} failed: ${errorText(error)}`, options);
}

function collectNames({ nodes, flow_tools = {} }: FlowGraph, names: Set<string>): void {
  for (const { body } of nodes) {
    for (const name of namesIn(body)) if (parseToolReference(name).type === 'file') names.add(name);
    if (body.type === 'each') collectNames(body.flow, names);
  }
  for (const flow of Object.values(flow_tools)) collectNames(flow, names);
}

function namesIn(body: NodeBody): string[] {
  if (body.type === 'tool') return [body.tool];
  const uses = body.type === 'agent' ? (body.agent.tools ?? []) : 'tools' in body ? body.tools : [];
  return uses.map((use) => toolUse(use).name);
}

function errorText({ name, message }: ModuleError): string {
  return name === undefined || name === 'Error' || name === 'FlowError' ? message : `${name}: ${message}`;
}

function unusable(name: string, why: string): FlowError {
  return new FlowError('BuildError', `The tool ${name} ${why}.`, { details: { tool: name } });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'gone';
}
