import { type CompiledWorkflow, type CompileOptions, compileWorkflow } from '#shared/pyflow/compile-workflow.ts';
import { emptyProject, type PyflowProject } from '#shared/pyflow/project.ts';
import { readWorkflow, type WorkflowReading } from '#shared/pyflow/read-workflow.ts';
import { agentFlowPath, sha256 } from './workflow-file.ts';

/** Where the flows of a workflow are, relative to the workspace with `/`. */
export interface WorkflowPlace {
  /** The workflow, relative to its flow. */
  readonly source: string;
  /** The flow that it becomes; flows of agents that are called as tools lie beside it. */
  readonly flow: string;
}

/** Options of an import. */
export interface ImportOptions {
  readonly unattended?: boolean;
  readonly project?: PyflowProject;
}

/** Compiles a workflow's text into flows. */
export function compileWorkflowText(
  text: string,
  { source, flow }: WorkflowPlace,
  options: ImportOptions = {},
  reading: WorkflowReading = readWorkflow(text),
): CompiledWorkflow {
  const compileOptions: CompileOptions = {
    text,
    source: source.startsWith('.') ? source : `./${source}`,
    unattended: options.unattended ?? false,
    flowPath: (agent) => agentFlowPath(flow, agent),
    project: options.project ?? emptyProject,
    sha256,
  };
  return compileWorkflow(compileOptions, reading);
}
