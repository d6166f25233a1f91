import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import { type ContextOptions, createContext } from '#main/workspace/create-context.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/** Thrown by `suspend` in tests, with the tool's question. */
export class Suspended extends Error {
  readonly value: Json;
  readonly payloadSchema: JsonSchema | undefined;

  constructor(value: Json, payloadSchema?: JsonSchema) {
    super('suspended');
    this.value = value;
    this.payloadSchema = payloadSchema;
  }
}

/** A workspace in a temporary folder, next to a folder `outside` that no tool may access. */
export class TestWorkspace {
  readonly folder: string;
  readonly outside: string;
  private readonly root: string;

  static async make(): Promise<TestWorkspace> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'pravah-tools-')));
    const workspace = new TestWorkspace(root);
    await mkdir(workspace.folder);
    await mkdir(workspace.outside);
    return workspace;
  }

  private constructor(root: string) {
    this.root = root;
    this.folder = join(root, 'workspace');
    this.outside = join(root, 'outside');
  }

  /** Removes all files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** Absolute path of a file in the workspace. */
  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: string | Uint8Array = ''): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  /** Text of a file, or null if it does not exist. */
  async read(name: string): Promise<string | null> {
    return readFile(this.path(name), 'utf8').catch(() => null);
  }

  async link(name: string, target: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await symlink(target, this.path(name));
  }

  /** The context of a call, with a trusted folder's settings. */
  async context(options: Partial<ContextOptions> = {}): Promise<ToolContext> {
    const models = () => {
      throw new Error('tools must not call a model');
    };
    const context = await createContext({ folder: this.folder, trusted: true, models, ...options });
    const suspend = (value: Json, payloadSchema?: JsonSchema): never => {
      throw new Suspended(value, payloadSchema);
    };
    return {
      ...context,
      run_id: 'run-1',
      node: 'Node',
      tool_call_id: 'call-1',
      suspend,
      reveal: (_field, value) => value,
      log: () => undefined,
    };
  }

  /** Calls a tool like the engine: admits the call, then performs it. */
  async call(tool: Tool, input: JsonObject, options: Partial<ContextOptions> = {}): Promise<Json> {
    const context = await this.context(options);
    await tool.admit?.(input, context);
    return tool.call(input, context);
  }
}

/** Returns the ToolError that a promise rejects with; fails for anything else. */
export async function refusal(promise: Promise<unknown>): Promise<ToolError> {
  try {
    const value = await promise;
    throw new Error(`expected a ToolError, got ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
