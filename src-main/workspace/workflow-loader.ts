import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { type CompiledWorkflow, compileWorkflow } from '#shared/pyflow/compile-workflow.ts';
import { isWorkflow } from '#shared/pyflow/read-workflow.ts';

/** Whether the text of such a file is a PyFlow workflow. One that cannot be parsed is, if it is called so: its problems are shown. */
export function isWorkflowText(file: string, text: string): boolean {
  if (!mayBeWorkflow(file)) return false;
  const reading = readYaml(text);
  return reading.ok ? isWorkflow(reading.root.value) : /^workflow\.ya?ml$/i.test(basename(file));
}

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
  readonly projectTools?: ReadonlySet<string>;
}

/** Compiles a workflow's text into flows. */
export function compileWorkflowText(text: string, { source, flow }: WorkflowPlace, options: ImportOptions = {}): CompiledWorkflow {
  return compileWorkflow({
    text,
    source: source.startsWith('.') ? source : `./${source}`,
    dialect: 'seed',
    unattended: options.unattended ?? false,
    flowPath: (agent) => agentFlowPath(flow, agent),
    projectTools: options.projectTools ?? new Set(),
    sha256,
  });
}

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `NAME.flow.yaml` and the agent `expert` give `NAME.expert.flow.yaml`. */
export function agentFlowPath(flow: string, agent: string): string {
  const ending = /\.flow\.(yaml|yml|json)$/i.exec(flow)?.[0] ?? '.flow.yaml';
  const stem = flow.endsWith(ending) ? flow.slice(0, -ending.length) : flow.replace(/\.ya?ml$/i, '');
  return `${stem}.${agent}${ending}`;
}
