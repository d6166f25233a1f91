import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import { type ParsedFlow, parseFlow, placeOf, pointerSegments } from '#shared/flow/parse-flow.ts';
import { positionsOf } from '#shared/flow/source/position.ts';
import { readYaml } from '#shared/flow/source/read-yaml.ts';
import { locate } from '#shared/flow/source/source-tree.ts';
import { compileWorkflow } from '#shared/pyflow/compile-workflow.ts';
import { emptyProject } from '#shared/pyflow/project.ts';
import { anchorFlow, type ReadText } from './anchor-flow.ts';

/** The lines of a node in its file, from 1, both included. */
export interface NodeLines {
  /** The node's id as breakpoints and frames refer to it. */
  readonly node: string;
  readonly title?: string;
  readonly first: number;
  readonly last: number;
}

/** The lines of a node of a flow in code, which may be in a file that its flow's file imports. */
export interface CodeLines extends NodeLines {
  /** The flow's file, as breakpoints and frames name it. */
  readonly flow: string;
  readonly file: string;
  /** It is a `flow` node: the first node inside may have the same id. */
  readonly isFlow: boolean;
}

/** Returns the lines of all nodes of a graph that are written in code, by what the builder recorded when the graph was built. */
export function codeLines(graph: FlowGraph): CodeLines[] {
  const found = new Map<string, CodeLines>();
  const graphs = new Set([graph]);
  for (const each of graphs) {
    for (const node of each.nodes) {
      const origins = originOf(each, node);
      for (const [index, origin] of origins.entries()) {
        const isNode = index === origins.length - 1;
        const written = isNode ? node.written : origin.written;
        const title = isNode ? node.title : origin.title;
        if (!written) continue;
        const { file, line: first, last } = written;
        const lines = { flow: origin.flow, node: origin.node, ...(title !== undefined && { title }), file, first, last, isFlow: !isNode };
        found.set(`${file} ${first} ${origin.flow}#${origin.node}`, lines);
      }
      if (node.body.type === 'each') graphs.add(node.body.flow);
    }
    for (const called of Object.values(each.flow_tools ?? {})) graphs.add(called);
  }
  return [...found.values()].sort((one, other) => one.first - other.first);
}

/** Returns the lines of all nodes of a flow file or a PyFlow workflow, in document order; empty if the file is missing or can't be parsed. */
export async function nodeLines(path: string, read: ReadText): Promise<NodeLines[]> {
  const text = await read(path);
  if (text !== null && mayBeWorkflow(path)) return workflowLines(text);
  const anchors = await anchorFlow(path, read);
  if (text === null || !anchors) return [];
  const parsed = parseFlow(text, path);
  return anchors.nodes.flatMap(({ id, index, title }) => {
    const lines = linesOf(parsed, index);
    return lines ? [{ node: id, ...(title !== undefined && { title }), ...lines }] : [];
  });
}

/** The nodes of a workflow have the lines of the agents, or of the orchestration, that they are made of. */
async function workflowLines(source: string): Promise<NodeLines[]> {
  const text = source.replace(/^\uFEFF/, '');
  const options = { text, source: '', unattended: false, flowPath: (agent: string) => agent, project: emptyProject, sha256: () => '' };
  const { flow } = compileWorkflow(options);
  const reading = readYaml(text, { mergeKeys: true });
  if (!flow || !reading.ok) return [];
  const document = JSON.stringify(flow.document);
  const anchors = await anchorFlow('workflow.flow.json', async () => document);
  const positionAt = positionsOf(text);
  return (anchors?.nodes ?? []).flatMap(({ id, index, title }) => {
    const located = locate(reading.root, pointerSegments(flow.origins[index] ?? ''));
    if (!located) return [];
    const first = positionAt(located.entryStart).line;
    return [
      { node: id, ...(title !== undefined && { title }), first, last: positionAt(Math.max(located.end - 1, located.entryStart)).line },
    ];
  });
}

function linesOf(parsed: ParsedFlow, index: number): Pick<NodeLines, 'first' | 'last'> | null {
  const located = placeOf(parsed, ['nodes', index]);
  if (!located) return null;
  const { entryStart, end } = located;
  return { first: parsed.positionAt(entryStart).line, last: parsed.positionAt(Math.max(end - 1, entryStart)).line };
}

/** Returns the innermost node whose lines contain `line`; undefined between nodes. */
export function nodeAtLine<Lines extends NodeLines>(nodes: readonly Lines[], line: number): Lines | undefined {
  const around = nodes.filter(({ first, last }) => first <= line && line <= last);
  return around.sort((one, other) => one.last - one.first - (other.last - other.first))[0];
}
