import type { Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import { graphNodeTitle } from '#shared/flow/run-node-title.ts';
import { parseToolReference, toolUse } from '#shared/flow/tool-use.ts';
import { toolFacts } from '#shared/flow/tools/built-in-tools.ts';

/** What a flow can change, by tool and code. */
export interface Writers {
  /** Can change files of the folder. */
  readonly writes: readonly string[];
  /** Can change things outside the folder. */
  readonly outside: readonly string[];
}

/** Returns the tools and the code of a flow that can change something, except what is supplied: tools with a mock that answers every call, and nodes with a pin. */
export function writersOf(graph: FlowGraph, supplied: readonly Supplied[] = []): Writers {
  const writes = new Set<string>();
  const outside = new Set<string>();
  const mocked = new Set(supplied.flatMap((each) => (isWholeMock(each) ? [each.tool] : [])));
  const pinned = new Set(supplied.flatMap((each) => (each.kind === 'pin' && each.enabled !== false ? [`${each.flow}#${each.node}`] : [])));
  const visit = (inner: FlowGraph) => {
    for (const node of inner.nodes) {
      const written = originOf(inner, node).at(-1);
      if (written && pinned.has(`${written.flow}#${written.node}`)) continue;
      if (runsOwnCode(node)) {
        const name = `code of ${graphNodeTitle(node)}`;
        writes.add(name);
        outside.add(name);
      }
      for (const tool of toolsOf(node)) addTool(tool);
      if (node.body.type === 'each') visit(node.body.flow);
    }
    for (const tool of Object.values(inner.flow_tools ?? {})) visit(tool);
  };
  const addTool = (name: string) => {
    if (mocked.has(name)) return;
    const { type } = parseToolReference(name);
    const facts = toolFacts(name);
    if (type === 'flow' || (type === 'built_in' && facts?.effect !== 'write')) return;
    const isFile = facts?.subject === 'files' || facts?.subject === 'memory';
    if (type === 'mcp' || !isFile) outside.add(name);
    if (type !== 'mcp' && type !== 'openapi' && facts?.subject !== 'web') writes.add(name);
  };
  visit(graph);
  return { writes: [...writes].sort(), outside: [...outside].sort() };
}

function isWholeMock(each: Supplied): each is Extract<Supplied, { kind: 'tool' }> {
  return each.kind === 'tool' && each.enabled !== false && each.node === undefined && each.otherwise === undefined;
}

/** Code of the workspace runs outside the sandbox. */
function runsOwnCode({ body }: GraphNode): boolean {
  return body.type === 'module' || body.type === 'function' || body.type === 'handler';
}

function toolsOf({ body }: GraphNode): readonly string[] {
  if (body.type === 'tool') return [body.tool];
  if (body.type === 'agent') return (body.agent.tools ?? []).map((use) => toolUse(use).name);
  return 'tools' in body ? body.tools.map((use) => toolUse(use).name) : [];
}
