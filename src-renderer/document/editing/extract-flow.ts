import { nodeAt, type ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { openSchema } from './states.ts';
import { texts } from './texts.ts';

/** A part of a flow that can become a separate flow: one state leads in, one leads out. */
export interface FlowPart {
  readonly input: string;
  readonly output: string;
  readonly nodes: readonly OutlineNode[];
}

/**
 * Returns the part that these nodes form, or why they cannot be a nested flow. A nested flow shares one input and one
 * output state with the outer flow, so exactly one state may lead into the part and one out of it.
 */
export function partOfFlow(flow: ReadableFlow, indices: readonly number[]): FlowPart | { readonly reason: string } {
  const chosen = new Set(indices);
  const nodes = [...chosen].sort((a, b) => a - b).flatMap((index) => nodeAt(flow, index) ?? []);
  if (nodes.length === 0) return { reason: texts.extract.nothingSelected };
  const unread = nodes.find((node) => node.kind === 'flow' && node.from.length === 0);
  if (unread) return { reason: texts.extract.unknownStates(unread.id) };
  const rest = flow.nodes.filter((node) => !chosen.has(node.index));
  const consumed = statesOf(nodes, 'from');
  const produced = statesOf(nodes, 'to');
  const producedElsewhere = statesOf(rest, 'to');
  const consumedElsewhere = statesOf(rest, 'from');

  const entries = [...consumed].filter((state) => state === flow.input || producedElsewhere.has(state) || !produced.has(state));
  const [input, ...otherEntries] = entries;
  if (input === undefined) return { reason: texts.extract.noEntry };
  if (otherEntries.length > 0)
    return {
      reason: texts.extract.manyEntries(entries),
    };

  const exits = [...produced].filter((state) => state === flow.output || consumedElsewhere.has(state) || !consumed.has(state));
  const [output, ...otherExits] = exits;
  if (output === undefined) return { reason: texts.extract.noExit };
  if (otherExits.length > 0)
    return {
      reason: texts.extract.manyExits(exits),
    };
  if (consumed.has(output)) return { reason: texts.extract.outputConsumed(output) };
  return { input, output, nodes };
}

/** The part as a separate document, in canonical YAML. */
export function textOfPart(flow: ReadableFlow, part: FlowPart, name: string): string {
  const states = new Set([part.input, part.output, ...statesOf(part.nodes, 'from'), ...statesOf(part.nodes, 'to')]);
  const schemas = Object.fromEntries([...states].map((state) => [state, flow.schemas[state] ?? openSchema]));
  return canonicalText(
    { pravah: 1, name, input: part.input, output: part.output, schemas, nodes: part.nodes.map((node) => node.raw) },
    'yaml',
  );
}

/** Edits that replace the part by a node with this title that runs the flow at `file`. Removes the schemas that only the part uses. */
export function editsForPart(flow: ReadableFlow, part: FlowPart, file: string, title: string): FlowEdit[] {
  const gone = part.nodes.map((node) => node.index).sort((a, b) => b - a);
  const rest = flow.nodes.filter((node) => !gone.includes(node.index));
  const used = new Set([flow.input, flow.output, part.input, part.output, ...statesOf(rest, 'from'), ...statesOf(rest, 'to')]);
  const within = [...statesOf(part.nodes, 'from'), ...statesOf(part.nodes, 'to')];
  const schemas = new Set(within.filter((state) => !used.has(state) && Object.hasOwn(flow.schemas, state)));
  return [
    ...gone.map((index): FlowEdit => ({ type: 'remove', path: ['nodes', index] })),
    { type: 'insert', path: ['nodes', gone.at(-1) ?? 0], value: { kind: 'flow', title, flow: file } },
    ...[...schemas].map((state): FlowEdit => ({ type: 'remove', path: ['schemas', state] })),
  ];
}

function statesOf(nodes: readonly OutlineNode[], side: 'from' | 'to'): Set<string> {
  return new Set(nodes.flatMap((node) => node[side]));
}
