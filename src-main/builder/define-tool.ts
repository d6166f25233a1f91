import type { SchemaSource, SchemaValue } from '#main/builder/state.ts';
import { TypedJsonSchema } from '#main/builder/state.ts';
import { convertZodSchema } from '#main/builder/zod-schema.ts';
import { checkSchema } from '#main/runtime/schema-validator.ts';
import { defaultToolTimeout } from '#main/runtime/tool-time.ts';
import type { Tool } from '#main/tools/tool.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** What a tool in code sees of the run that calls it. */
export interface ToolCallContext {
  /** The node that calls. */
  readonly node: string;
  /** Unique in the run, and the same when the call is made again after a crash: what a service may take to know a call by. */
  readonly tool_call_id: string;
  /** Real path of the workspace. */
  readonly working_dir: string;
  /** Aborted when the run is cancelled or the call takes too long. */
  readonly signal: AbortSignal;
  /** Writes a line into the run's log, for people who follow it. */
  log(message: string): void;
  /** Suspends the run until somebody answers; `payloadSchema` describes the answer, which is the call's result or goes to `resume`. */
  suspend(value: Json, payloadSchema?: JsonSchema): never;
}

/** What a tool gives back: its output, now or later. Never helps to infer the type: that is the schema's to say. */
type Result<Output> = NoInfer<Output> | Promise<NoInfer<Output>>;

/** A tool in code, as its author writes it. */
export interface ToolParts<Input extends SchemaSource, Output extends SchemaSource> {
  /** Letters, digits and _; what people read, and under which a run outside the studio knows the tool. */
  readonly name: string;
  /** What the tool does, for the model that decides whether to call it. */
  readonly description: string;
  /** What the tool takes: a schema of an object. */
  readonly input: Input;
  /** What the tool gives; anything where there is no schema. */
  readonly output?: Output;
  /** What it does outside. Default `write`: it changes something, so it is on record before it begins and is never silently done twice. */
  readonly effect?: 'none' | 'read' | 'write';
  /** Whether an agent's call asks a person first. Default: `always` for what writes, else `never`. */
  readonly approve?: 'always' | 'never';
  /** Seconds after which a call fails with `TOOL_TIMEOUT` and its `signal` is aborted. Default 60. */
  readonly timeout?: number;
  call(input: SchemaValue<Input>, ctx: ToolCallContext): Result<SchemaValue<Output>>;
  /** Makes the result of the answer to `ctx.suspend`. Without it the answer is the result. */
  resume?(input: SchemaValue<Input>, payload: Json, ctx: ToolCallContext): Result<SchemaValue<Output>>;
}

/** A tool in code: for `createContext({ tools })`, and what a file under `./tools/` exports. */
export type DefinedTool = Tool;

const namePattern = /^[A-Za-z_]\w{0,63}$/;

/**
 * Defines a tool that agents, `tool` bodies and handlers can call. In a trusted workspace, `./tools/crm.ts` that exports one as its default is the tool
 * `./tools/crm.ts`. Throws `FlowError` `BuildError` for schemas that cannot be used and for a name that is none.
 *
 * ```ts
 * export default defineTool({
 *   name: 'crm',
 *   description: 'Looks a customer up by mail address.',
 *   input: z.object({ mail: z.string() }),
 *   output: z.object({ name: z.string() }),
 *   effect: 'read',
 *   call: async ({ mail }) => ({ name: await lookUp(mail) }),
 * });
 * ```
 */
export function defineTool<Input extends SchemaSource, Output extends SchemaSource = TypedJsonSchema<Json>>(
  parts: ToolParts<Input, Output>,
): DefinedTool {
  const { name, description, input, output, effect = 'write', timeout = defaultToolTimeout, call, resume } = parts;
  if (!namePattern.test(name)) throw invalid(String(name), 'its name may hold letters, digits and _ and does not begin with a digit');
  if (typeof description !== 'string' || description.trim() === '') throw invalid(name, 'it has no description; models choose by that');
  if (!(timeout > 0)) throw invalid(name, 'its timeout is no positive number of seconds');
  if (typeof call !== 'function') throw invalid(name, 'it has no function call');
  const inputSchema = schemaOf(name, 'input', input);
  if (!isJsonObject(inputSchema as Json) || (inputSchema as { type?: unknown }).type !== 'object') {
    throw invalid(name, 'its input is no object; give it a z.object({ … })');
  }
  return {
    name,
    description,
    input_schema: inputSchema,
    ...(output !== undefined && { output_schema: schemaOf(name, 'output', output) }),
    effect,
    approve: parts.approve ?? (effect === 'write' ? 'always' : 'never'),
    timeout,
    ...(resume && { asks: true }),
    call: (value, ctx) => call.call(parts, value as SchemaValue<Input>, ctx) as Json | Promise<Json>,
    ...(resume && {
      resume: (value, payload, ctx) => resume.call(parts, value as SchemaValue<Input>, payload, ctx) as Json | Promise<Json>,
    }),
  };
}

function schemaOf(name: string, part: string, source: SchemaSource): JsonSchema {
  if (source instanceof TypedJsonSchema) return checked(name, part, source.schema);
  if (typeof source !== 'object' || source === null || !('_zod' in source)) {
    throw invalid(name, `its ${part} is no schema that can be used; give it one of zod 4, or jsonSchema({ … })`);
  }
  const { schema, obstacles } = convertZodSchema(source);
  const [first] = obstacles;
  if (first) throw invalid(name, `its ${part} cannot be used: ${first.message}${first.path && ` (at ${first.path})`}`);
  return checked(name, part, schema);
}

function checked(name: string, part: string, schema: JsonSchema): JsonSchema {
  const fault = checkSchema(schema as Json);
  if (fault) throw invalid(name, `its ${part} is no JSON Schema: ${fault.message}${fault.path && ` (at ${fault.path})`}`);
  return schema;
}

function invalid(name: string, why: string): FlowError {
  return new FlowError('BuildError', `The tool ${name} cannot be used: ${why}.`);
}
