import type { Tool } from '#main/engine/ports/tool.ts';
import { findSecret } from '#main/engine/secrets/mask.ts';
import type { DescribedTool } from '#main/engine/step/flow-tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { checkSchema, compileSchema } from '#main/engine/values/schema-validator.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { SuspendSignal } from './suspend-signal.ts';

/** What is let through between the engine and a tool. */

/** The outcome of performing a call, recorded in this form so that a question is not asked twice either. */
export type Performed = { readonly result: Json } | { readonly suspend: Json; readonly payload_schema?: JsonSchema };

/** A call's input as the tool takes it. Throws `Deserialize`, with the path. */
export function checkedInput(tool: DescribedTool, input: Json): JsonObject {
  const notJson = freezeJson(input);
  const violation = notJson ? { path: notJson.path, message: `holds ${notJson.message}` } : inputViolation(tool, input);
  if (!violation && isJsonObject(input)) return input;
  const { path, message } = violation ?? { path: '', message: 'the input is no object' };
  throw new ToolError('Deserialize', `${tool.name} cannot take this input: ${message}.`, { details: { path } });
}

/** A tool's result as the run may have it: JSON that fits the tool's schema and holds no secret. Throws `Serialize`, and `SecretInState`. */
export function checkedResult(step: Step, tool: Pick<Tool, 'name' | 'output_schema'>, result: Json): Json {
  const notJson = freezeJson(result);
  if (notJson)
    throw new ToolError('Serialize', `The result of ${tool.name} holds ${notJson.message}.`, { details: { path: notJson.path } });
  const violation = tool.output_schema === undefined ? null : compileSchema(tool.output_schema)(result);
  if (violation)
    throw new ToolError('Serialize', `The result of ${tool.name} is not what it promises: ${violation.message}.`, {
      details: { path: violation.path },
    });
  const { ctx, node } = step;
  const secret = ctx.secrets.size > 0 ? findSecret(ctx.secrets, result) : null;
  if (!secret) return result;
  throw new FlowError('SecretInState', `The result of ${tool.name} contains the secret ${secret.name}, which must not enter the run.`, {
    node,
    tool_id: `${node}::${tool.name}`,
    details: { secret: secret.name },
  });
}

/** A tool's question. The schema of its answer may have been thought up by a model, so it is checked before anybody is asked. */
export function checkedQuestion(tool: Tool, { value, payloadSchema }: SuspendSignal): Performed {
  if (payloadSchema === undefined) return { suspend: value };
  const fault = checkSchema(payloadSchema);
  if (fault)
    throw new ToolError('Deserialize', `${tool.name} cannot ask for this answer: its schema is invalid (${fault.message}).`, {
      details: { path: fault.path },
    });
  return { suspend: value, payload_schema: payloadSchema };
}

function inputViolation(tool: DescribedTool, input: Json): { readonly path: string; readonly message: string } | null {
  const violation = compileSchema(tool.input_schema)(input);
  if (violation || !isJsonObject(input) || !isJsonObject(tool.input_schema as Json)) return violation;
  const { properties, additionalProperties } = tool.input_schema as JsonObject;
  if (additionalProperties !== undefined) return null;
  const unknown = Object.keys(input).find((key) => !isJsonObject(properties) || !Object.hasOwn(properties, key));
  return unknown === undefined ? null : { path: `/${unknown}`, message: `it has no field "${unknown}"` };
}
