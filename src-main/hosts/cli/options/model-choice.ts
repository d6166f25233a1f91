import { resolve } from 'node:path';
import { addModelFile } from '#main/models/registry/edit-settings.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { UsageError } from './exit-codes.ts';

/**
 * Values of `--model`: `URL` for all agents, or `NODE=URL` for one. A model file named here counts as chosen by the user, also for
 * commands that continue the run. Throws `UsageError`.
 */
export async function chosenModels(given: readonly string[], graph: FlowGraph, folder: string): Promise<Readonly<Record<string, string>>> {
  const chosen = given.map((text) => {
    const [, node = anyAgent, url = ''] = /^(?:([^=]+)=)?([a-z]+:\/\/.*)$/s.exec(text) ?? [];
    const parsed = parseModelUrl(url);
    if (!parsed.ok) throw new UsageError(`--model ${text}: ${parsed.message}`);
    assertAgent(node, graph, text);
    return { node, url, model: parsed.model };
  });
  for (const { model } of chosen) if (model.provider === 'llama') await addModelFile(resolve(folder, model.path));
  return Object.fromEntries(chosen.map(({ node, url }) => [node, url]));
}

/** Throws if no agent has this name. Inner nodes and parts of an agent have the outer node's name as a prefix. */
function assertAgent(node: string, { nodes }: FlowGraph, text: string): void {
  const outer = node.split(/[./:]/)[0];
  if (node === anyAgent || nodes.some(({ id }) => id === node || id === outer)) return;
  const agents = nodes.filter(({ body }) => body.type === 'agent').map(({ id }) => id);
  throw new UsageError(
    `--model ${text}: unknown node ${node}. ${agents.length > 0 ? `Agents: ${agents.join(', ')}.` : 'The flow has no agents.'}`,
  );
}
