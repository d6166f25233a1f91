import { resolve } from 'node:path';
import { UsageError } from '#main/hosts/cli/exit-codes.ts';
import { addModelFile } from '#main/models/settings/edit-settings.ts';
import { anyAgent } from '#shared/flow/any-agent.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';

/**
 * Values of `--model`: `URL` for all agents, or `NODE=URL` for one. A model file that is named here is chosen by the user, and stays so for the
 * commands that go on with the run. Throws `UsageError`.
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

/** Nodes inside others, and those that an agent is made of, have the outer node's name before their own. */
function assertAgent(node: string, { nodes }: FlowGraph, text: string): void {
  const outer = node.split(/[./:]/)[0];
  if (node === anyAgent || nodes.some(({ id }) => id === node || id === outer)) return;
  const agents = nodes.filter(({ body }) => body.type === 'agent').map(({ id }) => id);
  throw new UsageError(
    `--model ${text}: there is no node ${node}. ${agents.length > 0 ? `Agents: ${agents.join(', ')}.` : 'The flow has no agents.'}`,
  );
}
