import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';

interface NodeInFlow {
  readonly node: OutlineNode;
  readonly flow: ReadableFlow;
}

/** Whether two versions of a node and its flow differ in titles and notes at most. */
export function sameButTexts(before: NodeInFlow, after: NodeInFlow): boolean {
  return sameNode(before.node, after.node) && sameGraph(before.flow, after.flow);
}

function sameGraph(before: ReadableFlow, after: ReadableFlow): boolean {
  if (before === after) return true;
  const { input, output, schemas, length, nodes } = after;
  if (before.input !== input || before.output !== output || before.schemas !== schemas || before.length !== length) return false;
  return before.nodes.length === nodes.length && before.nodes.every((node, index) => sameNode(node, nodes[index] as OutlineNode));
}

function sameNode(before: OutlineNode, after: OutlineNode): boolean {
  if (before === after) return true;
  // An inner flow's states come from its own file.
  if (before.index !== after.index || before.id !== after.id || before.from.join('\n') !== after.from.join('\n')) return false;
  if (before.to.join('\n') !== after.to.join('\n')) return false;
  const keys = new Set([...Object.keys(before.raw), ...Object.keys(after.raw)]);
  keys.delete('title');
  keys.delete('note');
  return [...keys].every((key) => before.raw[key] === after.raw[key] || JSON.stringify(before.raw[key]) === JSON.stringify(after.raw[key]));
}
