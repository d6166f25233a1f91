import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { FlowService } from '#main/server/flow-service.ts';
import type { ServedFlowDetail } from '#shared/contract/server/flows.ts';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** A flow as a tool of MCP. */
export interface FlowTool {
  readonly tool: Tool;
  /** Name of the flow. */
  readonly flow: string;
  /** The flow takes another input than an object, which the tool takes as `input`. */
  readonly wrapsInput: boolean;
  /** The same of its output, which the tool returns as `output`. */
  readonly wrapsOutput: boolean;
}

/** Most flows that are offered as tools: a client shows all of them to its model. */
const mostTools = 200;
/** Longest name of a tool that all clients take. */
const longestName = 64;

/** The sound flows of a server, or those named, as tools. */
export async function flowTools(flows: FlowService, named: readonly string[]): Promise<FlowTool[]> {
  const names = named.length > 0 ? named : (await flows.list(mostTools, undefined)).data.map(({ name }) => name);
  const details = await Promise.all(names.map((name) => flows.get(name)));
  const taken = new Set<string>();
  return details
    .filter(({ problems }) => !problems.some(({ severity }) => severity === 'error'))
    .map((flow) => flowTool(flow, freeName(flow.name, taken)));
}

function flowTool(flow: ServedFlowDetail, name: string): FlowTool {
  const { capabilities, title, description } = flow;
  const input = objectSchema(flow.input_schema);
  const [first, ...others] = Object.values(flow.output_schemas);
  // A flow with several ends may return any of them.
  const output = others.length === 0 && first !== undefined ? objectSchema(first) : null;
  return {
    flow: flow.name,
    wrapsInput: input === null,
    wrapsOutput: output === null,
    tool: {
      name,
      title,
      description: description || `Runs the flow “${title}”.`,
      inputSchema: input ?? { type: 'object', properties: { input: schemaOf(flow.input_schema) }, required: ['input'] },
      outputSchema: output ?? { type: 'object', properties: { output: {} }, required: ['output'] },
      annotations: { title, readOnlyHint: capabilities.every(({ harmless }) => harmless), openWorldHint: capabilities.length > 0 },
    },
  };
}

/** A schema that takes objects only, as MCP wants it; null for another. */
function objectSchema(schema: Json): Tool['inputSchema'] | null {
  return isJsonObject(schema) && schema.type === 'object' ? { ...schema, type: 'object' } : null;
}

function schemaOf(schema: Json): object {
  return isJsonObject(schema) ? schema : {};
}

/** A flow's path as a name that all clients take, and that no other flow has. */
function freeName(path: string, taken: Set<string>): string {
  const plain =
    withoutFlowEnding(path)
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .slice(0, longestName) || 'flow';
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain.slice(0, longestName - 4)}_${count}`;
  taken.add(name);
  return name;
}
