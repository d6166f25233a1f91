import type { AgentSettings, GraphNodeKind } from '#shared/flow/document.ts';
import { type FlowGraph, type GraphNode, type NodeBody, nodeIdOf } from '#shared/flow/graph.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { Builtin } from './builtin.ts';

/** What of a flow the expansion of its agents reads. */
export type ExpandedGraph = Pick<FlowGraph, 'nodes' | 'schemas'> & Partial<Pick<FlowGraph, 'source' | 'limits' | 'flow_tools' | 'hash'>>;

/** An agent that is expanded: its node, its settings, and its two states with their schemas. */
export interface ExpandedAgent {
  readonly node: GraphNode;
  readonly settings: AgentSettings;
  readonly from: string;
  readonly to: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly graph: ExpandedGraph;
}

/** The ordinary nodes that replace one agent, with the schemas of the states between them. */
export interface Expansion {
  readonly nodes: readonly GraphNode[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

type AgentBody = Extract<NodeBody, { type: 'agent' }>;

/** The functions that check what goes into an expanded agent, or what comes out of it. */
export function guardFunctionsOf({ node }: ExpandedAgent, stage: 'input' | 'output'): Pick<AgentBody, 'guard_functions'> {
  const functions = (node.body.type === 'agent' && node.body.guard_functions) || {};
  const own = Object.entries(functions).filter(([place]) => place.startsWith(`${stage}/`));
  return own.length > 0 ? { guard_functions: Object.fromEntries(own) } : {};
}

/** Creates the nodes that replace an agent. All have its path in the document and refer to it as their origin. */
export class AgentParts {
  readonly #agent: ExpandedAgent;

  constructor(agent: ExpandedAgent) {
    this.#agent = agent;
  }

  /** Name of a state between the agent's own two. */
  state(name: string): string {
    return `${this.#agent.from}::${name}`;
  }

  builtin(kind: GraphNodeKind, title: string, from: readonly string[], to: readonly string[], call: Builtin): GraphNode {
    return this.#node(kind, title, from, to, { type: 'builtin', call });
  }

  /** A fork that hands the same value to every branch. */
  copies(title: string, from: string, to: readonly string[]): GraphNode {
    return this.#node('fork', title, [from], to, { type: 'default' });
  }

  agent(title: string, from: string, to: string, body: Omit<AgentBody, 'type'>): GraphNode {
    return this.#node('agent', title, [from], [to], { type: 'agent', ...body });
  }

  /** A node with a body of its own: what makes a plan, and the `each` nodes that run flows. */
  node(kind: GraphNodeKind, title: string, from: string, to: string, body: NodeBody): GraphNode {
    return this.#node(kind, title, [from], [to], body);
  }

  #node(kind: GraphNodeKind, title: string, from: readonly string[], to: readonly string[], body: NodeBody): GraphNode {
    const { node } = this.#agent;
    const shown = node.title === undefined ? title : `${node.title}: ${title}`;
    const own = node.own_names && Object.fromEntries([...from, ...to].map((name) => [name, node.own_names?.[name] ?? name]));
    const inlined = {
      ...(own && { own_names: own }),
      ...(node.origin && { origin: node.origin }),
      ...(node.written && { written: node.written }),
    };
    return { id: nodeIdOf(from), kind, from, to, body, title: shown, path: node.path, part_of: node.id, ...inlined };
  }
}
