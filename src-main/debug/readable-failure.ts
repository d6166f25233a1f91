import { initialControl } from '#main/engine/run/control.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { nodesById, ownName } from '#shared/flow/origin.ts';
import type { TransferableError } from '#shared/run/error.ts';
import { placeText } from '#shared/run/stop.ts';
import { framesOf, type NameNode, placeOf } from './place.ts';

const nothing = { states: new Map<string, never>(), control: initialControl };

/** Names a node as the command line does: by its title, else by the states that it consumes, as the file writes them. */
export const nameInText: NameNode = (node) => node.title ?? node.part_of ?? node.from.map((state) => ownName(node, state)).join('+');

/** Returns where a node is by its id in a run: `Price all › item 3 › Half it`. Lists are not read, so their lengths are left out. Null for an unknown id. */
export function placeName(graph: FlowGraph, id: string): string | null {
  const place = placeOf(graph, id, nothing);
  return place && placeText(framesOf(place, {}, nameInText));
}

/**
 * Returns a failure whose messages name nodes and states as the user knows them: `Orders[1]::Order does not give a Orders::Rated` becomes `Price all › item 2 ›
 * Rate it does not give a Rated`. Its fields keep the ids.
 */
export function readableFailure<Failure extends TransferableError>(graph: FlowGraph, error: Failure): Failure {
  const { message, node, cause } = error;
  return { ...error, message: readable(graph, message, node), ...(cause && { cause: readableFailure(graph, cause) }) };
}

function readable(graph: FlowGraph, message: string, node: string | null): string {
  const states = statesOf(graph);
  const named = message.replaceAll(/[^\s"'`(),;]+::[^\s"'`(),;]+/g, (token) => {
    const [, id = token, end = ''] = /^(.*?)([.:]*)$/.exec(token) ?? [];
    // A node has the name of the state that it consumes.
    const own = id === node ? undefined : states.get(id.slice(id.includes(']::') ? id.lastIndexOf(']::') + 3 : 0));
    return (own ?? placeName(graph, id) ?? id) + end;
  });
  const title = node === null || node.includes('::') ? null : placeName(graph, node);
  if (title === null || title === node || node === null) return named;
  // The id is a state's name, too: only where the engine names the node.
  if (named.startsWith(`${node} `)) return title + named.slice(node.length);
  return named.replace(/^(The (?:body|handler|answer|pin \S+|model) of )(\S+?)(?='|\s)/, (all, before: string, id: string) =>
    id === node ? before + title : all,
  );
}

const known = new WeakMap<FlowGraph, ReadonlyMap<string, string>>();

/** The states of nested flows, with their names in their own files. */
function statesOf(graph: FlowGraph): ReadonlyMap<string, string> {
  let states = known.get(graph);
  if (!states) {
    const found = new Map<string, string>();
    const graphs = new Set([graph]);
    for (const each of graphs) {
      for (const node of nodesById(each).values()) {
        for (const state of [...node.from, ...node.to]) found.set(state, ownName(node, state));
        if (node.body.type === 'each') graphs.add(node.body.flow);
      }
      for (const called of Object.values(each.flow_tools ?? {})) graphs.add(called);
    }
    states = found;
    known.set(graph, states);
  }
  return states;
}
