import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { isWorkflow } from '#shared/pyflow/is-workflow.ts';

/** Whether the text of such a file is a PyFlow workflow. One that cannot be parsed is, if it is called so: its problems are shown. */
export function isWorkflowText(file: string, text: string): boolean {
  if (!mayBeWorkflow(file)) return false;
  const reading = readYaml(text, { mergeKeys: true });
  return reading.ok ? isWorkflow(reading.root.value) : /^workflow\.ya?ml$/i.test(basename(file));
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
