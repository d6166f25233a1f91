import { type Connection, connect, whyNotConnected } from '#renderer/document/editing/connect.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { nodeAt } from '#renderer/document/graph/readable-flow.ts';
import type { PortPlace } from '#renderer/editor/entries/library-entries.ts';
import { portIndex } from './canvas-nodes.ts';
import { texts } from './texts.ts';

/** The two ends of a wire, by React Flow's ids. */
export interface Ends {
  readonly source: string;
  readonly sourceHandle?: string | null;
  readonly target: string;
  readonly targetHandle?: string | null;
}

/** Connects two ports of the current flow. */
export function connectPorts(ends: Ends): void {
  const flow = currentFlow();
  const connection = connectionOf(ends);
  if (flow?.readable && connection) carryOut(connect(flow.readable, connection));
}

/** Why these two ports cannot be connected, as a sentence, or null if they can. */
export function whyNotPorts(ends: Ends): string | null {
  const flow = currentFlow();
  const connection = connectionOf(ends);
  const source = connection && flow?.readable && nodeAt(flow.readable, connection.source);
  const target = connection && flow?.readable && nodeAt(flow.readable, connection.target);
  if (!source || !target || !flow?.readable) return texts.nodeGone;
  const out = source.to[connection.source_port];
  const into = target.from[connection.target_port];
  if (out === undefined || into === undefined) return texts.nodeGone;
  return out === into ? texts.alreadyConnected(out) : whyNotConnected(flow.readable, source, target, out, into);
}

/** The two ends of a wire between two ports, whichever was first. */
function endsOf(one: PortPlace, other: PortPlace): Ends {
  const [source, target] = one.handle.startsWith('output') ? [one, other] : [other, one];
  return { source: source.node, sourceHandle: source.handle, target: target.node, targetHandle: target.handle };
}

/** Connects two ports, whichever of them produces. */
export function connectPlaces(one: PortPlace, other: PortPlace): void {
  connectPorts(endsOf(one, other));
}

/** The open ports of these nodes that a wire from a port can be connected to. */
export function connectablePorts(nodes: readonly NodeView[], from: PortPlace): PortPlace[] {
  const side = from.handle.startsWith('output') ? 'input' : 'output';
  return nodes.flatMap(({ key, inputs, outputs }) =>
    (side === 'input' ? inputs : outputs).flatMap((port, index) => {
      const place = { node: key, handle: `${side}:${index}` };
      return port.open && !port.entry && key !== from.node && whyNotPorts(endsOf(from, place)) === null ? [place] : [];
    }),
  );
}

/** All ports of a node that a wire from a port can be connected to, open or not. */
export function portsFor(node: NodeView, from: PortPlace): { readonly ports: readonly PortPlace[]; readonly why: string | null } {
  const side = from.handle.startsWith('output') ? 'input' : 'output';
  const all = (side === 'input' ? node.inputs : node.outputs).map((_, index) => ({ node: node.key, handle: `${side}:${index}` }));
  const reasons = all.map((place) => whyNotPorts(endsOf(from, place)));
  return { ports: all.filter((_, index) => reasons[index] === null), why: reasons.find((reason) => reason !== null) ?? null };
}

/** The state at a port of the current flow, or null. */
export function portState(node: string, handle: string | null): string | null {
  const view = viewOf(node);
  const ports = handle?.startsWith('input') ? view?.inputs : view?.outputs;
  return ports?.[portIndex(handle)]?.state ?? null;
}

function connectionOf(ends: Ends): Connection | null {
  const source = viewOf(ends.source);
  const target = viewOf(ends.target);
  if (!source || !target) return null;
  return {
    source: source.index,
    source_port: portIndex(ends.sourceHandle),
    target: target.index,
    target_port: portIndex(ends.targetHandle),
  };
}

function viewOf(key: string): NodeView | undefined {
  return currentFlow()?.view.nodes.find((node) => node.key === key);
}
