import type { Tool } from '#main/engine/ports/tool.ts';
import type { ToolCallContext } from '#main/engine/ports/tool-call-context.ts';
import { defaultToolTimeout } from '#main/engine/tool-calls/tool-time.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { schemaFrom } from './schema-from.ts';
import type { SchemaSource, SchemaValue, TypedJsonSchema } from './state.ts';

/** A tool's return value. Not used for type inference, because the schema defines the type. */
type Result<Output> = NoInfer<Output> | Promise<NoInfer<Output>>;

/** The definition of a tool in code. */
export interface ToolParts<Input extends SchemaSource, Output extends SchemaSource, Name extends string = string> {
  /** Letters, digits and _. The display name, and the tool's name in runs outside the studio. */
  readonly name: Name;
  /** What the tool does, for the model that decides whether to call it. */
  readonly description: string;
  /** Schema of the input, which must be an object. */
  readonly input: Input;
  /** Schema of the output. Default: any JSON value. */
  readonly output?: Output;
  /** Side effects. Default `write`: the call is recorded before it starts and is never repeated silently. */
  readonly effect?: 'none' | 'read' | 'write';
  /** Whether a call that is made twice does no more than one. Then it is repeated, without asking anybody, if a process ended during it. Default false. */
  readonly idempotent?: boolean;
  /** Whether an agent's call needs the user's approval. Default: `always` for tools that write, otherwise `never`. */
  readonly approve?: 'always' | 'never';
  /** Seconds after which a call fails with `TOOL_TIMEOUT` and its `signal` is aborted. Default 60. */
  readonly timeout?: number;
  call(input: SchemaValue<Input>, ctx: ToolCallContext): Result<SchemaValue<Output>>;
  /** Converts the answer to `ctx.suspend` into the result. Default: the answer is the result. */
  resume?(input: SchemaValue<Input>, payload: Json, ctx: ToolCallContext): Result<SchemaValue<Output>>;
}

/** A tool in code, for `createContext({ tools })`, `defineFlow({ tools })` or as the export of a file under `./tools/`. */
export interface DefinedTool<out Name extends string = string, out Input = unknown, out Output = unknown> extends Tool {
  readonly name: Name;
  /** Type-only; never set. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

const namePattern = /^[A-Za-z_]\w{0,63}$/;

/**
 * Defines a tool that agents, `tool` bodies and handlers can call. In a trusted workspace, a file `./tools/crm.ts` with a tool as its default
 * export is the tool `./tools/crm.ts`. Throws `FlowError` `BuildError` for an invalid schema or name.
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
export function defineTool<
  Input extends SchemaSource,
  Output extends SchemaSource = TypedJsonSchema<Json>,
  const Name extends string = string,
>(parts: ToolParts<Input, Output, Name>): DefinedTool<Name, SchemaValue<Input>, SchemaValue<Output>> {
  const { name, description, input, output, effect = 'write', timeout = defaultToolTimeout, call, resume } = parts;
  if (!namePattern.test(name))
    throw invalid(String(name), 'its name must contain only letters, digits and _, and must not start with a digit');
  if (typeof description !== 'string' || description.trim() === '')
    throw invalid(name, 'it has no description, which models need to choose it');
  if (!(timeout > 0)) throw invalid(name, 'its timeout must be a positive number of seconds');
  if (typeof call !== 'function') throw invalid(name, 'its "call" is not a function');
  const inputSchema = schemaOf(name, 'input', input);
  if (!isJsonObject(inputSchema as Json) || (inputSchema as { type?: unknown }).type !== 'object') {
    throw invalid(name, 'its input schema is not an object. Use z.object({ … })');
  }
  return {
    name,
    description,
    input_schema: inputSchema,
    ...(output !== undefined && { output_schema: schemaOf(name, 'output', output) }),
    effect,
    ...(parts.idempotent && { idempotent: true }),
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
  return schemaFrom(source, (reason) => `Invalid tool ${name}: its ${part} ${reason}.`);
}

function invalid(name: string, why: string): FlowError {
  return new FlowError('BuildError', `Invalid tool ${name}: ${why}.`);
}
