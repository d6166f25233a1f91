import { basename } from 'node:path';
import type { Problem } from '#shared/flow/problem.ts';
import { compileWorkflowText } from './compile-workflow-text.ts';
import type { FlowEnvironmentOptions } from './flow-environment.ts';
import { type LoadedFlow, loadCompiledFlow, unreadable } from './flow-loader.ts';
import { agentFlowPath } from './workflow-file.ts';
import { workflowProject } from './workflow-project.ts';

/** Builds the flow of a PyFlow workflow, compiled in memory. Its `text` is the flow's document as JSON, with every problem at the workflow's path. */
export function loadWorkflow(text: string, path: string, options: FlowEnvironmentOptions, files: readonly string[] = []): LoadedFlow {
  const compiled = compileWorkflowText(
    text,
    { source: basename(path), flow: path },
    { project: workflowProject(options.folder, path, options.settings) },
  );
  const found = compiled.problems.map((problem): Problem => ({ ...problem, nodes: [] }));
  const { flow, tools } = compiled;
  if (!flow) return { ...unreadable(path, ''), problems: found };
  const overlay = new Map([...tools].map(([agent, { document }]) => [agentFlowPath(path, agent), JSON.stringify(document)]));
  const loaded = loadCompiledFlow(flow.document, path, { ...options, overlay }, files);
  const ofFlow = workflowProblems(loaded.problems, flow.origins).map((problem) => ({
    ...problem,
    line: compiled.lineOf(problem.path),
  }));
  return { ...loaded, problems: [...found, ...ofFlow], origins: flow.origins };
}

/** Problems of a compiled flow at the paths of its workflow. */
export function workflowProblems(problems: readonly Problem[], origins: readonly string[]): Problem[] {
  return problems.map(({ fixes: _ofTheFlow, ...problem }) => ({ ...problem, path: originOf(origins, problem.path) }));
}

/** The workflow's path of a problem in the flow. */
function originOf(origins: readonly string[], path: string): string {
  const node = /^\/nodes\/(\d+)/.exec(path)?.[1];
  return node === undefined ? '' : (origins[Number(node)] ?? '');
}
