import type { FlowTool } from '#main/engine/step/flow-tool.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { flowTaints } from './taint.ts';

/** The tools that a graph's flows are, by the name under which its nodes call them. */
export function flowTools({ flow_tools = {} }: FlowGraph): ReadonlyMap<string, FlowTool> {
  return new Map(Object.entries(flow_tools).map(([name, graph]) => [name, flowTool(name, graph)]));
}

function flowTool(name: string, graph: FlowGraph): FlowTool {
  const schema = graph.schemas[graph.input] ?? true;
  const wrapped = !takesObjects(schema);
  return {
    name,
    description: graph.description ?? `Runs the flow "${graph.name}".`,
    input_schema: wrapped
      ? { type: 'object', properties: { input: schema }, required: ['input'], additionalProperties: false }
      : openObject(schema),
    effect: isPure(graph) ? 'none' : 'write',
    approve: 'never',
    graph,
    untrusted: flowTaints(graph),
    inputOf: (input) => (wrapped ? (input.input as Json) : input),
  };
}

/** Whether an object may fit a schema, as far as `type` says. A tool's input is an object, so any other input is wrapped into one. */
function takesObjects(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const { type } = schema;
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The schema as one of objects; where it names no fields, any will do. */
function openObject(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return { type: 'object', additionalProperties: true };
  return { ...(!isJsonObject(schema.properties) && { additionalProperties: true }), ...schema, type: 'object' };
}

/** Whether a flow certainly touches nothing outside. What its nodes ask before they do something is not lifted by this. */
function isPure(graph: FlowGraph): boolean {
  let verdict = verdicts.get(graph);
  if (verdict === undefined) {
    verdict = graph.nodes.every(({ body }) => isPureInside(body));
    verdicts.set(graph, verdict);
  }
  return verdict;
}

/** Found out once for each flow: a few flows can hold each other any number of times. */
const verdicts = new WeakMap<FlowGraph, boolean>();

function isPureInside(body: NodeBody): boolean {
  switch (body.type) {
    case 'each':
      return isPure(body.flow);
    case 'run':
      return body.tools.length === 0;
    case 'function':
    case 'handler':
      return body.pure;
    case 'default':
    case 'builtin':
    case 'expr':
    case 'suspend':
      return true;
    // A tool or a Python function may do anything, and a session that begins reads the clock.
    case 'session':
    case 'tool':
    case 'module':
    case 'agent':
      return false;
  }
}
