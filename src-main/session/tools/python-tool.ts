import type { Tool } from '#main/engine/ports/tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython } from '#main/session/state/call-python.ts';
import { isJsonObject, type JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/**
 * A tool of the project as a tool agent calls it: PyFlow checks no types there, and floats stay floats. `floats` are those of its input. Its result
 * is what `toolResult` reads.
 */
export function pythonTool(step: Step, name: string, floats: readonly string[]): Tool | undefined {
  const tool = name.startsWith('py:') ? step.ctx.tools.get(name) : undefined;
  if (!tool) return undefined;
  const { name: _own, ...facts } = tool;
  return {
    ...facts,
    name,
    input_schema: withoutTypes(tool.input_schema),
    call: async (input, { run_id, tool_call_id }) => {
      const about = { agent: authorOf(step), invocation_id: run_id, tool_call_id };
      const outcome = await callPython(step, { kind: 'tool', name: name.slice('py:'.length), kwargs: { value: input, floats }, about });
      if ('value' in outcome) return { value: outcome.value, floats: [...outcome.floats] };
      const { message, type, traceback } = outcome.error;
      throw new ToolError('Other', message || type, { details: { traceback } });
    },
  };
}

function withoutTypes(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return schema;
  return { ...schema, properties: Object.fromEntries(Object.keys(schema.properties).map((key) => [key, {}])) };
}
