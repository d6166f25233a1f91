import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';

/**
 * A flow as a workflow net (van der Aalst, "The application of Petri nets to workflow management", 1998): states are places, a token is a waiting
 * state, a node is a cluster of one or, for an `either`, two transitions with the same input places. No place feeds two nodes, so the net is free-choice.
 */
export interface WorkflowNet {
  readonly nodes: readonly GraphNode[];
  /** Names of the places. */
  readonly places: readonly string[];
  readonly input: number;
  readonly output: number;
  /** By node: the places that it consumes. */
  readonly pre: readonly (readonly number[])[];
  /** By node: for each of its transitions, the places that it produces. */
  readonly post: readonly (readonly (readonly number[])[])[];
  /** By place: the node that consumes it, or -1. */
  readonly consumer: Int32Array;
}

/** One firing: a node and which of its transitions. */
export interface Firing {
  readonly node: number;
  readonly transition: number;
}

/** The net of a flow that was built, so that every node's states are distinct and every state has one consumer. */
export function workflowNet(graph: FlowGraph): WorkflowNet {
  const indices = new Map<string, number>();
  const places: string[] = [];
  const place = (name: string) => {
    let index = indices.get(name);
    if (index === undefined) {
      index = places.push(name) - 1;
      indices.set(name, index);
    }
    return index;
  };
  const input = place(graph.input);
  const output = place(graph.output);
  const pre = graph.nodes.map((node) => node.from.map(place));
  const post = graph.nodes.map((node) =>
    kindFacts[node.kind].outputs === 'branch' ? node.to.map((name) => [place(name)]) : [node.to.map(place)],
  );
  const consumer = new Int32Array(places.length).fill(-1);
  for (const [node, consumed] of pre.entries()) for (const index of consumed) consumer[index] = node;
  return { nodes: graph.nodes, places, input, output, pre, post, consumer };
}
