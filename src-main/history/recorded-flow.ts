import { createHash } from 'node:crypto';
import type { Journal } from '#main/journal/journal.ts';
import type { RunRow } from '#main/journal/rows.ts';
import { checkSchema } from '#main/runtime/schema-validator.ts';
import { stripTypes } from '#main/runtime/strip-types.ts';
import { toolNames } from '#main/tools/tool-names.ts';
import type { FlowEnvironmentOptions } from '#main/workspace/flow-environment.ts';
import { openFlow } from '#main/workspace/flow-loader.ts';
import type { FlowChoice } from '#shared/contract/time-travel.ts';
import { type BuiltFlow, buildFlow } from '#shared/flow/build-flow.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { resolveWorkspacePath } from '#shared/flow/workspace-path.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** A flow's document with the texts of all files that it was built from, by path relative to the workspace. */
export interface FlowSources {
  readonly flow_path: string;
  readonly flow_text: string;
  readonly sources: ReadonlyMap<string, string>;
}

/** A flow with what it was made of. */
export interface ChosenFlow extends FlowSources {
  readonly graph: FlowGraph;
}

/**
 * Builds a flow from texts alone, as if they stood in a workspace. `trusted` decides, as there, whether code of the workspace may be named; nothing is run here.
 * Every MCP server that the texts name counts as there.
 */
export function buildFromSources({ flow_path, flow_text, sources }: FlowSources, trusted: boolean): BuiltFlow {
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
      return text === undefined
        ? { ok: false, reason: 'missing', message: 'it is not among the files that came with the run' }
        : { ok: true, text };
    },
  });
}

/**
 * The flow with which a run is to go on, ready to run: the one on record, or the one that its file holds now. A record that is not ours (it came with the
 * folder, or in a capsule) is not taken at its word: its flow is built and judged again, with this folder's trust. Throws `Invalid` with
 * the problems, `BuildError` for code that is not on record.
 */
export async function chooseFlow(journal: Journal, row: RunRow, choice: FlowChoice, options: FlowEnvironmentOptions): Promise<ChosenFlow> {
  if (choice === 'current') return currentFlow(row, options);
  const recorded = recordedSources(journal, row);
  if (!journal.readonly) return { ...recorded, graph: journal.graphOf(row) };
  if (isCodeFlow(row.flow_path)) {
    throw new FlowError(
      'BuildError',
      `The run was made with a flow in code (${row.flow_path}) and came from elsewhere, so that code is not run. Choose the flow as it is in this folder.`,
    );
  }
  const built = buildFromSources(recorded, options.trusted);
  return { ...recorded, graph: graphOr(built, `The flow that came with the run`) };
}

/**
 * The flow on record, to be looked at and computed again: nothing of it is run as code of this machine, so it need not be trusted. One that came from elsewhere is
 * built from its text, where it has one.
 */
export function recordedGraph(journal: Journal, row: RunRow): FlowGraph {
  const rebuilt = journal.readonly ? buildFromSources(recordedSources(journal, row), true).graph : null;
  return rebuilt ?? journal.graphOf(row);
}

/** What a run's record holds of its flow. */
export function recordedSources(journal: Journal, row: RunRow): FlowSources {
  return { flow_path: row.flow_path, flow_text: journal.flowTextOf(row), sources: journal.sourcesOf(row) };
}

async function currentFlow(row: RunRow, options: FlowEnvironmentOptions): Promise<ChosenFlow> {
  if (row.flow_path === '') {
    throw new FlowError(
      'BuildError',
      'The run was made with a flow in code that no file holds. Fork or replay it from the program that has the flow.',
    );
  }
  // The record may say anything.
  const file = resolveWorkspacePath('', row.flow_path);
  if (file === null) throw new FlowError('BuildError', `The run says that its flow is ${row.flow_path}, which lies outside of the folder.`);
  const loaded = await openFlow(file, options);
  const { path, text, sources } = loaded;
  return { flow_path: path, flow_text: text, sources, graph: graphOr(loaded, row.flow_path) };
}

function graphOr({ graph, problems }: BuiltFlow, what: string): FlowGraph {
  if (graph) return graph;
  const errors = problems.filter(({ severity }) => severity === 'error');
  throw new FlowError('Invalid', `${what} cannot be used: ${errors[0]?.message ?? 'it has errors.'}`, {
    details: { problems: [...problems] },
  });
}
