import type { PythonOutcome, PythonProcess } from '#main/engine/ports/python-process.ts';
import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { toolNamesIn } from '#shared/flow/tool-names-in.ts';
import { parseToolReference } from '#shared/flow/tool-use.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';

/** The tools `py:NAME` that a flow's nodes use. Imports the project's tools if there are any. Throws `FlowError` `BuildError` for one that is missing. */
export async function pythonToolsOf(python: PythonProcess, graph: FlowGraph): Promise<Tool[]> {
  const names = new Set<string>();
  for (const use of toolNamesIn(graph)) {
    const reference = parseToolReference(use);
    if (reference.type === 'python') names.add(reference.name);
  }
  if (names.size === 0) return [];
  const { tools, problems } = await python.tools(
    graph.source,
    [...names].filter((name) => name.includes('.')),
  );
  return [...names].map((name): Tool => {
    const tool = tools.find((found) => found.name === name);
    if (!tool) throw missing(name, problems);
    return {
      name: `py:${name}`,
      description: tool.description,
      input_schema: tool.input_schema,
      // What it does is known to its author only: on record before it starts, and never repeated without asking.
      effect: 'write',
      approve: 'never',
      call: (input, ctx) => callTool(python, graph.source, name, input, ctx),
    };
  });
}

async function callTool(python: PythonProcess, flow: string | undefined, name: string, input: JsonObject, ctx: ToolContext): Promise<Json> {
  const about = { agent: ctx.node, invocation_id: ctx.run_id, tool_call_id: ctx.tool_call_id };
  const kwargs = { value: input, floats: [] };
  return resultOf(name, await python.call({ kind: 'tool', name, flow, kwargs, about }, ctx));
}

function resultOf(name: string, outcome: PythonOutcome): Json {
  if ('value' in outcome) return outcome.value;
  if ('not_json' in outcome) throw new ToolError('Serialize', `The result of ${name} is not JSON: ${outcome.not_json}`);
  const { message, traceback, type } = outcome.error;
  throw new ToolError('Other', message || type, { details: { traceback } });
}

function missing(name: string, problems: readonly string[]): FlowError {
  const why = problems.length > 0 ? ` ${problems.join(' ')}` : ' It must be a class in pyflow/tools or tools, with this name.';
  return new FlowError('BuildError', `The project has no tool ${name}.${why}`, { details: { tool: `py:${name}` } });
}
