import type { PythonException } from '#main/engine/ports/python-process.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython, type RecordedOutcome } from '#main/session/state/call-python.ts';
import type { SessionState } from '#main/session/state/session.ts';
import { isJsonObject, type JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/**
 * A tool of the project as a tool agent calls it: PyFlow checks no types there, and floats stay floats. `floats` are those of its input. Its result
 * is what `toolResult` reads.
 */
export function pythonTool(step: Step, name: string, floats: readonly string[], session: SessionState): Tool | undefined {
  const tool = name.startsWith('py:') ? step.ctx.tools.get(name) : undefined;
  if (!tool) return undefined;
  const { name: _own, ...facts } = tool;
  const state = { value: session.state, floats: session.floats ?? [] };
  return {
    ...facts,
    name,
    input_schema: withoutTypes(tool.input_schema),
    call: async (input, { run_id, tool_call_id }) => {
      const about = { agent: authorOf(step), invocation_id: run_id, tool_call_id };
      const outcome = await callPython(step, {
        kind: 'tool',
        name: name.slice('py:'.length),
        kwargs: { value: input, floats },
        state,
        about,
      });
      warnAboutWrites(step, name, outcome);
      if ('value' in outcome) return { value: outcome.value, floats: [...outcome.floats] };
      throw pythonFailure(outcome.error);
    },
  };
}

/** In PyFlow, what a tool agent's tool writes into the state lasts for this run only. */
function warnAboutWrites(step: Step, name: string, outcome: RecordedOutcome): void {
  if (!('writes' in outcome) || !step.listening) return;
  for (const key of Object.keys(outcome.writes)) {
    const message = `${name} wrote ${JSON.stringify(key)} into tool_context.state, which a tool agent does not keep. Return the value.`;
    step.emit({ type: 'log', node: step.node, level: 'warn', values: [message] });
  }
}

/** An exception of a tool as the tool's failure. */
export function pythonFailure({ message, type, traceback }: PythonException): ToolError {
  return new ToolError('Other', message || type, { details: { traceback } });
}

function withoutTypes(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return schema;
  return { ...schema, properties: Object.fromEntries(Object.keys(schema.properties).map((key) => [key, {}])) };
}
