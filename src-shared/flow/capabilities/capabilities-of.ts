import type { AgentSettings, ToolUse } from '#shared/flow/document.ts';
import type { FlowGraph, NodeBody } from '#shared/flow/graph.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { secretsIn } from '#shared/flow/secret-placeholder.ts';
import type { AgentSession, NodeSession } from '#shared/flow/session.ts';
import { chosenModels } from '#shared/flow/settings-by-input.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { toolFacts } from '#shared/flow/tools/built-in-tools.ts';
import type { CapabilityScope } from '#shared/flow/tools/call-reach.ts';
import { capabilityKinds, type Reach } from '#shared/flow/tools/reach.ts';
import { ordinaryCode, toolReach } from '#shared/flow/tools/tool-reach.ts';
import type { JsonObject } from '#shared/json.ts';
import { isLoopback } from '#shared/loopback.ts';
import { type Capability, capabilityKey } from './capability.ts';

/**
 * Everything that a built flow can reach, read off its graph, flows inside it and flows that it calls as tools included. Sorted by kind
 * and name, each thing once. It errs towards more: what a template, code or a model decides counts as all that it could be.
 */
export function capabilitiesOf(graph: FlowGraph, scope: CapabilityScope): Capability[] {
  const found = new Map<string, { reach: Reach; nodes: Set<string> }>();
  collect(graph, '', scope, new Set(), (node, reach) => {
    const key = capabilityKey(reach);
    const known = found.get(key);
    if (known) known.nodes.add(node);
    else found.set(key, { reach, nodes: new Set([node]) });
  });
  return [...found.values()]
    .map(({ reach, nodes }): Capability => ({ ...reach, nodes: [...nodes] }))
    .sort((one, other) => capabilityKinds.indexOf(one.kind) - capabilityKinds.indexOf(other.kind) || compare(one.name, other.name));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

type Found = (node: string, reach: Reach) => void;

/** A flow that several nodes hold or call is looked through once: who calls it does not change what it can reach. */
function collect(graph: FlowGraph, prefix: string, scope: CapabilityScope, seen: Set<FlowGraph>, found: Found): void {
  if (seen.has(graph)) return;
  seen.add(graph);
  for (const { id, body } of graph.nodes) {
    const node = `${prefix}${id}`;
    for (const reach of reachOf(node, body, scope)) found(node, reach);
    if (body.type === 'each') collect(body.flow, `${node}::`, scope, seen, found);
  }
  for (const [name, flow] of Object.entries(graph.flow_tools ?? {})) collect(flow, `${prefix}${name}::`, scope, seen, found);
}

function reachOf(node: string, body: NodeBody, scope: CapabilityScope): Reach[] {
  switch (body.type) {
    case 'tool':
      return [...toolReach(body.tool, body.with as JsonObject, scope), ...secretsIn(body.with).map(secretReach)];
    case 'run':
      return [...usesReach(body.tools, scope), ...secretsIn(body.source).map(secretReach)];
    case 'module':
      return [{ kind: 'code', name: `${body.file}#${body.export}`, note: ordinaryCode, harmless: false }, ...usesReach(body.tools, scope)];
    case 'handler':
      return [{ kind: 'code', name: body.file, note: ordinaryCode, harmless: false }, ...usesReach(body.tools, scope)];
    case 'function':
      return usesReach(body.tools, scope);
    case 'agent':
      return [
        ...agentReach(node, body.agent, scope),
        ...(body.models ?? []).map((url) => modelReach(url, scope)),
        ...(body.controller ? reachOf(node, body.controller, scope) : []),
        ...callbackReach(body.session),
      ];
    case 'session':
      return sessionReach(body.session, scope);
    case 'default':
    case 'builtin':
    case 'expr':
    case 'suspend':
    case 'each':
      return [];
  }
}

function callbackReach({ callbacks = {} }: Pick<AgentSession, 'callbacks'> = {}): Reach[] {
  return Object.values(callbacks).map((name) => ({ kind: 'code', name, note: ordinaryCode, harmless: false }));
}

function sessionReach(session: NodeSession, scope: CapabilityScope): Reach[] {
  if ('tool' in session)
    return [...toolReach(session.tool, filledLater(session.with), scope), ...secretsIn(session.with ?? {}).map(secretReach)];
  if ('code' in session) return [{ kind: 'code', name: session.code, note: ordinaryCode, harmless: false }];
  return [];
}

/** A session's placeholders are found in its arguments only when it runs, so what has one may be anything. */
function filledLater(given: JsonObject = {}): JsonObject | null {
  return /\{\w+\}/.test(JSON.stringify(given)) ? null : given;
}

function usesReach(uses: readonly ToolUse[], scope: CapabilityScope): Reach[] {
  return uses.flatMap((use) => toolReach(toolUse(use).name, null, scope));
}

function agentReach(node: string, agent: AgentSettings, scope: CapabilityScope): Reach[] {
  const uses = agent.tools ?? [];
  const silent = uses.map(toolUse).filter(({ name, approve }) => approve === 'never' && asksByDefault(name));
  const wary = agent.trust_content === true ? [`${node}: whatever it has read, its writing tools do not ask`] : [];
  return [
    ...chosenModels(agent).map((url) => modelReach(url, scope)),
    ...(agent.context?.summarise?.model === undefined ? [] : [modelReach(agent.context.summarise.model, scope)]),
    ...[...(agent.guards?.input ?? []), ...(agent.guards?.output ?? [])].flatMap(({ judge }) =>
      judge?.model === undefined ? [] : [modelReach(judge.model, scope)],
    ),
    ...usesReach(uses, scope),
    ...[...silent.map(({ name }) => `${node}: ${name} does not ask`), ...wary].map(
      (name): Reach => ({ kind: 'unasked', name, harmless: false }),
    ),
  ];
}

/** Whether an agent's calls of a tool need approval unless the author says otherwise. */
function asksByDefault(tool: string): boolean {
  const { type } = parseToolReference(tool);
  return type === 'mcp' || type === 'openapi' || toolFacts(tool)?.approve === 'always';
}

function secretReach(name: string): Reach {
  return { kind: 'secret', name, note: 'sent only to the hosts that it was entered for', harmless: false };
}

/** A model sees everything that the agent sees. A local model sends it nowhere. */
function modelReach(url: string, { providers }: CapabilityScope): Reach {
  const parsed = parseModelUrl(url);
  if (!parsed.ok) return { kind: 'model', name: url, harmless: false };
  const { model } = parsed;
  switch (model.provider) {
    case 'script':
      return { kind: 'model', name: url, note: 'recorded answers', harmless: true };
    case 'llama':
      return { kind: 'model', name: url, note: 'computed on this machine', harmless: true };
    case 'ollama':
      return { kind: 'model', name: url, harmless: isLoopback(model.host) };
    case 'genai': {
      const service = Object.hasOwn(providers, model.service) ? providers[model.service] : undefined;
      return { kind: 'model', name: service ? `${url} at ${service.base_url}` : url, harmless: false };
    }
    default:
      return { kind: 'model', name: url, harmless: false };
  }
}
