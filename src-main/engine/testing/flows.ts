import { agentLoop } from '#main/agents/agent-loop.ts';
import type { RunContext } from '#main/engine/step/run-context.ts';
import { sandboxBodies } from '#main/sandbox/sandbox-bodies.ts';
import { sessionAgents, sessionBodies } from '#main/session/session-bodies.ts';
import { codeBodies } from '#main/workspace-code/code-bodies.ts';
import { codeProcess } from '#main/workspace-code/start-code-process.ts';
import type { FlowGraph, GraphNode, NodeBody } from '#shared/flow/graph.ts';
import { defaultLimits, type Limits } from '#shared/flow/limits.ts';
import type { JsonSchema } from '#shared/json.ts';

/** A node of a flow for tests: `work('A', 'B')` and its like. */
export type NodeSketch = Pick<GraphNode, 'kind' | 'from' | 'to' | 'body'>;

export const pass: NodeBody = { type: 'default' };

export function run(source: string, ...tools: string[]): NodeBody {
  return { type: 'run', source, tools };
}

export function expr(source: string, into?: string): NodeBody {
  return { type: 'expr', source, into };
}

/** A pure function of a code-first flow. */
export function pure(call: (...args: never[]) => unknown): NodeBody {
  return { type: 'function', call, pure: true, tools: [] };
}

export function work(from: string, to: string, body: NodeBody = pass): NodeSketch {
  return { kind: 'work', from: [from], to: [to], body };
}

export function either(from: string, to: readonly [string, string], body: NodeBody): NodeSketch {
  return { kind: 'either', from: [from], to, body };
}

export function fork(from: string, to: readonly string[], body: NodeBody = pass): NodeSketch {
  return { kind: 'fork', from: [from], to, body };
}

export function join(from: readonly [string, string], to: string, body: NodeBody = pass): NodeSketch {
  return { kind: 'join', from, to: [to], body };
}

export function suspend(from: string, to: string): NodeSketch {
  return { kind: 'suspend', from: [from], to: [to], body: { type: 'suspend' } };
}

export function each(from: string, to: string, flow: FlowGraph): NodeSketch {
  return { kind: 'each', from: [from], to: [to], body: { type: 'each', flow } };
}

export interface FlowSketch {
  /** Schemas of states that say something; the others take any value. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly limits?: Partial<Limits>;
  /** Flows that nodes call as tools, by the name under which they do. */
  readonly tools?: Readonly<Record<string, FlowGraph>>;
}

/** A graph of these nodes; its entry is the first node's state, its output the state that none consumes. */
export function flowOf(nodes: readonly NodeSketch[], { schemas = {}, limits = {}, tools }: FlowSketch = {}): FlowGraph {
  const names = [...new Set(nodes.flatMap(({ from, to }) => [...from, ...to]))];
  const consumed = new Set(nodes.flatMap(({ from }) => from));
  return {
    name: 'test',
    input: nodes[0]?.from[0] as string,
    output: names.find((name) => !consumed.has(name)) as string,
    schemas: Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}])),
    nodes: nodes.map((node, index) => ({ ...node, id: node.from.join('+'), path: `/nodes/${index}` })),
    limits: { ...defaultLimits, ...limits },
    ...(tools && { flow_tools: tools }),
    hash: 'a'.repeat(64),
  };
}

/** A context without effects: no tools, no models, a fixed clock. */
export function quietContext(overrides: Partial<RunContext> = {}): RunContext {
  return {
    working_dir: '/nowhere',
    commands: [],
    writable: [],
    allow_hosts: [],
    allow_private: [],
    approve: {},
    protected_files: new Set(),
    trusted: true,
    secrets: new Map(),
    tools: new Map(),
    models: () => {
      throw new Error('This context has no models.');
    },
    signal: new AbortController().signal,
    clock: { now: () => 1_000 },
    newId: () => 'id',
    services: {},
    agentLoop,
    sandboxBodies,
    codeBodies,
    sessionBodies,
    sessionAgents,
    codeProcess,
    ...overrides,
  };
}
