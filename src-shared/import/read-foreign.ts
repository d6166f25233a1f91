import { importAgentBuilder, isAgentBuilder } from '#shared/import/agent-builder/import-agent-builder.ts';
import { importDify, isDify } from '#shared/import/dify/dify-app.ts';
import { importLangflow, isLangflow } from '#shared/import/langflow/langflow-flow.ts';
import { importLangGraph, isLangGraph } from '#shared/import/langgraph/langgraph-graph.ts';
import { importN8n, isN8n } from '#shared/import/n8n/n8n-workflow.ts';
import type { Json } from '#shared/json.ts';
import type { ForeignReading } from './foreign-graph.ts';
import type { ReportForeign } from './foreign-problem.ts';

/** The tools whose files can be imported, by the names of their formats. */
export const foreignFormats = {
  dify: 'Dify',
  langflow: 'Langflow',
  n8n: 'n8n',
  langgraph: 'LangGraph',
  agent_builder: 'OpenAI Agent Builder',
} as const;

export type ForeignFormat = keyof typeof foreignFormats;

const valueFormats = [
  ['dify', isDify, importDify],
  ['n8n', isN8n, importN8n],
  ['langflow', isLangflow, importLangflow],
  ['langgraph', isLangGraph, importLangGraph],
] as const satisfies readonly (readonly [
  ForeignFormat,
  (value: Json) => boolean,
  (value: Json, report: ReportForeign) => ForeignReading | null,
])[];

/** Which tool a JSON or YAML value comes from; null if none that can be imported. */
export function formatOfValue(value: Json): ForeignFormat | null {
  return valueFormats.find(([, is]) => is(value))?.[0] ?? null;
}

/** Which tool code comes from; null if none that can be imported. */
export function formatOfCode(code: string): ForeignFormat | null {
  return isAgentBuilder(code) ? 'agent_builder' : null;
}

/** Reads a value of a format. Null, with problems, if it cannot be read at all. */
export function readForeignValue(format: ForeignFormat, value: Json, report: ReportForeign): ForeignReading | null {
  return valueFormats.find(([name]) => name === format)?.[2](value, report) ?? null;
}

/** Reads exported code, its types stripped. */
export function readForeignCode(code: string, report: ReportForeign): ForeignReading | null {
  const graph = importAgentBuilder(code, report);
  return graph && { graph, files: [] };
}
