import { type ParsedFlow, parseFlow, placeOf } from '#shared/flow/parse-flow.ts';
import { anchorFlow, type ReadText } from './anchor-flow.ts';

/** The lines of a node in its file, from 1, both included. */
export interface NodeLines {
  /** The node's id as breakpoints and frames refer to it. */
  readonly node: string;
  readonly title?: string;
  readonly first: number;
  readonly last: number;
}

/** Returns the lines of all nodes of a flow file, in document order; empty if the file is missing or can't be parsed. */
export async function nodeLines(path: string, read: ReadText): Promise<NodeLines[]> {
  const text = await read(path);
  const anchors = await anchorFlow(path, read);
  if (text === null || !anchors) return [];
  const parsed = parseFlow(text, path);
  return anchors.nodes.flatMap(({ id, index, title }) => {
    const lines = linesOf(parsed, index);
    return lines ? [{ node: id, ...(title !== undefined && { title }), ...lines }] : [];
  });
}

function linesOf(parsed: ParsedFlow, index: number): Pick<NodeLines, 'first' | 'last'> | null {
  const located = placeOf(parsed, ['nodes', index]);
  if (!located) return null;
  const { entryStart, end } = located;
  return { first: parsed.positionAt(entryStart).line, last: parsed.positionAt(Math.max(end - 1, entryStart)).line };
}

/** Returns the node whose lines contain `line`; undefined between nodes. */
export function nodeAtLine(nodes: readonly NodeLines[], line: number): NodeLines | undefined {
  return nodes.find(({ first, last }) => first <= line && line <= last);
}
