import { nodeAt, type ReadableFlow } from '#renderer/graph/readable-flow.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { canonicalText } from '#shared/flow/edit/format-flow.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { openSchema } from './states.ts';

/** A part of a flow that can be a flow of its own: one state leads into it, one comes out. */
export interface FlowPart {
  readonly input: string;
  readonly output: string;
  readonly nodes: readonly OutlineNode[];
}

/**
 * The part that these nodes are, or why they are none, in sentences. A nested flow shares one state with the flow around it on either side, so
 * exactly one state may lead into the part and one come out; the states within are its own.
 */
export function partOfFlow(flow: ReadableFlow, indices: readonly number[]): FlowPart | { readonly reason: string } {
  const chosen = new Set(indices);
  const nodes = [...chosen].sort((a, b) => a - b).flatMap((index) => nodeAt(flow, index) ?? []);
  if (nodes.length === 0) return { reason: 'Select the nodes that are to be the nested flow.' };
  const unread = nodes.find((node) => node.kind === 'flow' && node.from.length === 0);
  if (unread) return { reason: `What ${unread.id} consumes and produces is not known. Mend that flow first.` };
  const rest = flow.nodes.filter((node) => !chosen.has(node.index));
  const consumed = statesOf(nodes, 'from');
  const produced = statesOf(nodes, 'to');
  const producedElsewhere = statesOf(rest, 'to');
  const consumedElsewhere = statesOf(rest, 'from');

  const entries = [...consumed].filter((state) => state === flow.input || producedElsewhere.has(state) || !produced.has(state));
  const [input, ...otherEntries] = entries;
  if (input === undefined) return { reason: 'Nothing leads into the selection. Select the node that is to come first, too.' };
  if (otherEntries.length > 0)
    return {
      reason: `${entries.length} states lead into the selection (${entries.join(', ')}), and a nested flow begins with one. ${howToNarrow}`,
    };

  const exits = [...produced].filter((state) => state === flow.output || consumedElsewhere.has(state) || !consumed.has(state));
  const [output, ...otherExits] = exits;
  if (output === undefined) return { reason: 'Nothing comes out of the selection. Select the node that is to come last, too.' };
  if (otherExits.length > 0)
    return {
      reason: `${exits.length} states come out of the selection (${exits.join(', ')}), and a nested flow ends with one. ${howToNarrow}`,
    };
  if (consumed.has(output))
    return { reason: `${output} comes out of the selection and is consumed in it as well, so a nested flow would not end with it.` };
  return { input, output, nodes };
}

const howToNarrow = 'Select more, so that they lie within, or fewer.';

/** The part as a document of its own, in canonical YAML. */
export function textOfPart(flow: ReadableFlow, part: FlowPart, name: string): string {
  const states = new Set([part.input, part.output, ...statesOf(part.nodes, 'from'), ...statesOf(part.nodes, 'to')]);
  const schemas = Object.fromEntries([...states].map((state) => [state, flow.schemas[state] ?? openSchema]));
  return canonicalText(
    { pravah: 1, name, input: part.input, output: part.output, schemas, nodes: part.nodes.map((node) => node.raw) },
    'yaml',
  );
}

/** Edits that put a node of this title, which runs the flow at `file`, in the part's place. Schemas of states that only the part knows go with it. */
export function editsForPart(flow: ReadableFlow, part: FlowPart, file: string, title: string): FlowEdit[] {
  const gone = part.nodes.map((node) => node.index).sort((a, b) => b - a);
  const rest = flow.nodes.filter((node) => !gone.includes(node.index));
  const kept = new Set([flow.input, flow.output, part.input, part.output, ...statesOf(rest, 'from'), ...statesOf(rest, 'to')]);
  const within = [...statesOf(part.nodes, 'from'), ...statesOf(part.nodes, 'to')];
  const schemas = new Set(within.filter((state) => !kept.has(state) && Object.hasOwn(flow.schemas, state)));
  return [
    ...gone.map((index): FlowEdit => ({ type: 'remove', path: ['nodes', index] })),
    { type: 'insert', path: ['nodes', gone.at(-1) ?? 0], value: { kind: 'flow', title, flow: file } },
    ...[...schemas].map((state): FlowEdit => ({ type: 'remove', path: ['schemas', state] })),
  ];
}

function statesOf(nodes: readonly OutlineNode[], side: 'from' | 'to'): Set<string> {
  return new Set(nodes.flatMap((node) => node[side]));
}
