import type { ModuleOutcome } from '#main/engine/ports/code-process.ts';
import type { ToolCallContext } from '#main/engine/ports/tool-call-context.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import type { FromChild, ToolDescription, ToolRequest } from '#main/workspace-code/messages.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import { load } from './loading.ts';

/** A tool created by `defineTool`, possibly from another copy of this package. */
interface ToolInFile extends Omit<ToolDescription, 'resumes'> {
  call(input: Json, ctx: ToolCallContext): unknown;
  resume?(input: Json, payload: Json, ctx: ToolCallContext): unknown;
}

/** Thrown by a tool that suspends. */
class Suspended {
  readonly value: Json;
  readonly payloadSchema: JsonSchema | undefined;

  constructor(value: Json, payloadSchema: JsonSchema | undefined) {
    this.value = value;
    this.payloadSchema = payloadSchema;
  }
}

/** Describes the tool that a file exports. */
export async function describeTool(file: string): Promise<ToolDescription> {
  const { name, description, input_schema, output_schema, effect, idempotent, approve, timeout, resume } = await toolIn(file);
  return {
    name,
    description,
    input_schema,
    ...(output_schema !== undefined && { output_schema }),
    effect,
    ...(idempotent && { idempotent }),
    approve,
    ...(timeout !== undefined && { timeout }),
    resumes: resume !== undefined,
  };
}

/** Calls the tool that a file exports, or resumes a suspended call. */
export async function callTool(id: number, { file, method, args, node, tool_call_id, working_dir }: ToolRequest): Promise<ModuleOutcome> {
  const tool = await toolIn(file);
  const ctx: ToolCallContext = {
    node,
    tool_call_id,
    working_dir,
    // A cancelled call ends this process, so there is nothing to report.
    signal: new AbortController().signal,
    log: (message) => {
      process.send?.({ type: 'log', id, values: [String(message)] } satisfies FromChild);
    },
    suspend: (value, payloadSchema) => {
      throw new Suspended(value, payloadSchema);
    },
  };
  for (const value of args) freezeJson(value);
  const [input = null, payload = null] = args;
  try {
    const value = await (method === 'resume' && tool.resume ? tool.resume(input, payload, ctx) : tool.call(input, ctx));
    const impure = freezeJson(value);
    return impure ? { impure } : { value };
  } catch (thrown) {
    if (!(thrown instanceof Suspended)) throw thrown;
    const impure = freezeJson(thrown.value);
    if (impure) return { impure };
    return { suspend: thrown.value, ...(thrown.payloadSchema !== undefined && { payload_schema: thrown.payloadSchema }) };
  }
}

/** Returns the tool that a module exports: the default export, or the only named one. */
async function toolIn(file: string): Promise<ToolInFile> {
  const module = await load(file);
  const tools = isTool(module.default) ? [module.default] : Object.values(module).filter(isTool);
  const [tool, second] = tools;
  if (!tool) throw new Error('the file exports no tool. Export the result of defineTool({ … }) as the default');
  if (second) throw new Error('the file exports several tools. Export one of them as the default');
  return tool;
}

function isTool(value: unknown): value is ToolInFile {
  return typeof value === 'object' && value !== null && 'input_schema' in value && 'call' in value && typeof value.call === 'function';
}
