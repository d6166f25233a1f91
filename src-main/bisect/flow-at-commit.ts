import { basename } from 'node:path';
import { buildFromSources } from '#main/time-travel/recorded-flow.ts';
import type { Commit, GitHistory } from '#main/workspace/git-history.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { agentFlowPath, isWorkflowText } from '#main/workspace/workflow-file.ts';
import { workflowProject } from '#main/workspace/workflow-project.ts';
import { isCodeFlow } from '#shared/flow/flow-file.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';

/** A flow as of a commit, or why there is none. */
export type FlowAtCommit = { readonly graph: FlowGraph } | { readonly graph: null; readonly why: string };

/** A flow of a folder: `path` is relative to it, with `/`. */
export interface FlowOfFolder {
  readonly folder: string;
  readonly path: string;
}

/**
 * Builds a flow from its text as of a commit, with the nested flows and other files of that commit. Nothing is checked out and nothing of it runs: the
 * graph is only for replays.
 */
export async function flowAtCommit(history: Pick<GitHistory, 'read'>, commit: Commit, flow: FlowOfFolder): Promise<FlowAtCommit> {
  const { path } = flow;
  if (isCodeFlow(path)) return { graph: null, why: `${path} is a flow in code, which is not run here` };
  const text = await history.read(commit, path);
  if (text === null) return { graph: null, why: `it has no file ${path}` };
  const document = await documentOf(text, flow);
  if (document === null) return { graph: null, why: `its ${path} can't be compiled` };
  const sources = new Map(document.generated);
  for (;;) {
    const missing = new Set<string>();
    const built = buildFromSources({ flow_path: path, flow_text: document.text, sources }, true, (file) => missing.add(file));
    const found = await Promise.all([...missing].map(async (file) => [file, await history.read(commit, file)] as const));
    const read = found.filter((entry): entry is readonly [string, string] => entry[1] !== null);
    for (const [file, content] of read) sources.set(file, content);
    if (read.length > 0) continue;
    if (built.graph) return { graph: built.graph };
    const error = built.problems.find(({ severity }) => severity === 'error');
    return { graph: null, why: error?.message ?? 'it has errors' };
  }
}

/** The text of the flow's document; of a PyFlow workflow the document that it is compiled to, with those of its agents. */
async function documentOf(
  text: string,
  { folder, path }: FlowOfFolder,
): Promise<{ readonly text: string; readonly generated: readonly (readonly [string, string])[] } | null> {
  if (!isWorkflowText(path, text)) return { text, generated: [] };
  const { compileWorkflowText } = await import('#main/workspace/compile-workflow-text.ts');
  const { flow, tools } = compileWorkflowText(
    text,
    { source: basename(path), flow: path },
    { project: workflowProject(folder, path, await loadSettings(folder)) },
  );
  if (!flow) return null;
  const generated = [...tools].map(([agent, { document }]) => [agentFlowPath(path, agent), JSON.stringify(document)] as const);
  return { text: JSON.stringify(flow.document), generated };
}
