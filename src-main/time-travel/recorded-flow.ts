import { createHash } from 'node:crypto';
import { checkSchema } from '#main/engine/values/schema-validator.ts';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { stripTypes } from '#main/sandbox/strip-types.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import { openFlow } from '#main/workspace/open-flow.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { type BuiltFlow, buildFlow } from '#shared/flow/build-flow.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { toolNames } from '#shared/flow/tools/built-in-tools.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/run/error.ts';

/** A flow's document with the texts of all its source files, by path relative to the workspace. */
export interface FlowSources {
  readonly flow_path: string;
  readonly flow_text: string;
  readonly sources: ReadonlyMap<string, string>;
}

/** A flow with its sources. */
export interface ChosenFlow extends FlowSources {
  readonly graph: FlowGraph;
}

/**
 * Builds a flow from texts alone, as if they were files of a workspace. `trusted` decides, as there, whether the flow may refer to workspace code; nothing is executed here.
 * Every MCP server that the texts name counts as configured. `onMissing` is called with the path of each file that is not among the sources.
 */
export function buildFromSources(
  { flow_path, flow_text, sources }: FlowSources,
  trusted: boolean,
  onMissing: (path: string) => void = () => {},
): BuiltFlow {
  const texts = [flow_text, ...sources.values()].join('\n');
  return buildFlow(parseFlow(flow_text, flow_path), {
    trusted,
    tools: toolNames,
    mcpServers: new Set([...texts.matchAll(/mcp:([^/"'\s]+)\//g)].map(([, name = '']) => name)),
    checkSchema,
    stripTypes,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    readFile: (path) => {
      const text = sources.get(path);
      if (text !== undefined) return { ok: true, text };
      onMissing(path);
      return { ok: false, reason: 'missing', message: 'it is not among the files recorded with the run' };
    },
  });
}

/**
 * Returns the executable flow with which a run continues: the recorded one, or the current one of its file. An imported record (it came with the
 * folder, or in a capsule) is not trusted: its flow is rebuilt and validated with this folder's trust. Throws `Invalid` with
 * the problems, `BuildError` for code that is not recorded.
 */
export async function chooseFlow(journal: Journal, row: RunRow, choice: FlowChoice, options: FlowEnvironmentOptions): Promise<ChosenFlow> {
  if (choice === 'current') return currentFlow(row, options);
  const recorded = recordedSources(journal, row);
  if (!journal.readonly) return { ...recorded, graph: journal.graphOf(row) };
  if (isCodeFlow(row.flow_path)) {
    throw new FlowError(
      'BuildError',
      `The run was imported and its flow is code (${row.flow_path}), which is not executed. Use the current flow of this folder instead.`,
    );
  }
  const built = buildFromSources(recorded, options.trusted);
  return { ...recorded, graph: graphOr(built, `The recorded flow`) };
}

/**
 * Returns the recorded flow for viewing and replay: none of it runs as native code, so it need not be trusted. An imported flow is
 * built from its text, if any.
 */
export function recordedGraph(journal: Journal, row: RunRow): FlowGraph {
  const rebuilt = journal.readonly ? buildFromSources(recordedSources(journal, row), true).graph : null;
  return rebuilt ?? journal.graphOf(row);
}

/** Returns what a run's record contains of its flow. */
export function recordedSources(journal: Journal, row: RunRow): FlowSources {
  return { flow_path: row.flow_path, flow_text: journal.flowTextOf(row), sources: journal.sourcesOf(row) };
}

async function currentFlow(row: RunRow, options: FlowEnvironmentOptions): Promise<ChosenFlow> {
  if (row.flow_path === '') {
    throw new FlowError(
      'BuildError',
      'The flow of this run is code that is not stored in a file. Fork or replay it from the program that defines the flow.',
    );
  }
  // The record is untrusted.
  const file = resolveWorkspacePath('', row.flow_path);
  if (file === null) throw new FlowError('BuildError', `The run's flow ${row.flow_path} is outside the folder.`);
  const loaded = await openFlow(file, options);
  const { path, text, sources } = loaded;
  return { flow_path: path, flow_text: text, sources, graph: graphOr(loaded, row.flow_path) };
}

function graphOr({ graph, problems }: BuiltFlow, what: string): FlowGraph {
  if (graph) return graph;
  const errors = problems.filter(({ severity }) => severity === 'error');
  throw new FlowError('Invalid', `${what} is not usable: ${errors[0]?.message ?? 'it has errors.'}`, {
    details: { problems: [...problems] },
  });
}
