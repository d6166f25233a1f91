import type { FlowGraph, GraphNode } from '#shared/flow/graph.ts';
import { kindFacts } from '#shared/flow/node-kinds.ts';
import type { TraceStep } from '#shared/flow/problem.ts';
import type { LeftState, PlayedStep, PlayedTrace } from './played-trace.ts';

/**
 * Plays a counterexample's firings from the flow's input on and notes the marking after each. Null when they do not fit the flow, since that was
 * changed meanwhile.
 */
export function playTrace(graph: FlowGraph, trace: readonly TraceStep[]): PlayedTrace | null {
  const [first] = trace;
  if (first && !graph.nodes.some(({ id }) => id === first.node)) return playInside(graph, trace, first);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const steps: PlayedStep[] = [];
  let marking: readonly string[] = [graph.input];
  let collision: string | null = null;
  for (const { node: id, branch } of trace) {
    const node = nodes.get(id);
    // A state that was produced twice fails the run: nothing fires after it.
    if (!node || collision !== null || !node.from.every((state) => marking.includes(state))) return null;
    if (kindFacts[node.kind].outputs === 'branch' && (branch === undefined || !node.to.includes(branch))) return null;
    const produced = kindFacts[node.kind].outputs === 'branch' ? [branch as string] : [...node.to];
    const kept = marking.filter((state) => !node.from.includes(state));
    collision = twiceIn(kept, produced) ?? null;
    marking = [...kept, ...produced.filter((state) => !kept.includes(state))];
    steps.push({
      node: id,
      kind: node.kind,
      ...(branch !== undefined && { branch }),
      consumed: [...node.from],
      produced,
      marking: [...marking],
    });
  }
  const consumers = new Map(graph.nodes.flatMap((node) => node.from.map((state) => [state, node] as const)));
  return {
    inside: null,
    input: graph.input,
    output: graph.output,
    steps,
    collision,
    left: marking.map((state) => leftState(state, consumers.get(state), marking)),
    able: collision === null ? graph.nodes.filter((node) => canFire(node, marking)).map(({ id }) => id) : [],
  };
}

function twiceIn(kept: readonly string[], produced: readonly string[]): string | undefined {
  return produced.find((state, at) => kept.includes(state) || produced.indexOf(state) !== at);
}

function leftState(state: string, consumer: GraphNode | undefined, marking: readonly string[]): LeftState {
  return { state, node: consumer?.id ?? null, missing: consumer?.from.filter((other) => !marking.includes(other)) ?? [] };
}

/** Whether a node has what it consumes and some way to fire that produces nothing twice. */
function canFire(node: GraphNode, marking: readonly string[]): boolean {
  if (!node.from.every((state) => marking.includes(state))) return false;
  const kept = marking.filter((state) => !node.from.includes(state));
  const ways = kindFacts[node.kind].outputs === 'branch' ? node.to.map((state) => [state]) : [node.to];
  return ways.some((produced) => twiceIn(kept, produced) === undefined);
}

/** Plays what happens in the flow under an `each`, with names that say where that is. */
function playInside(graph: FlowGraph, trace: readonly TraceStep[], first: TraceStep): PlayedTrace | null {
  const each = graph.nodes.find(({ id, body }) => body.type === 'each' && first.node.startsWith(`${id}::`));
  if (each?.body.type !== 'each') return null;
  const prefix = `${each.id}::`;
  const played = playTrace(
    each.body.flow,
    trace.map((step) => ({ ...step, node: step.node.startsWith(prefix) ? step.node.slice(prefix.length) : step.node })),
  );
  const outer = (name: string) => prefix + name;
  return (
    played && {
      inside: played.inside === null ? each.id : outer(played.inside),
      input: outer(played.input),
      output: outer(played.output),
      steps: played.steps.map((step) => ({
        ...step,
        node: outer(step.node),
        ...(step.branch !== undefined && { branch: outer(step.branch) }),
        consumed: step.consumed.map(outer),
        produced: step.produced.map(outer),
        marking: step.marking.map(outer),
      })),
      collision: played.collision === null ? null : outer(played.collision),
      left: played.left.map(({ state, node, missing }) => ({
        state: outer(state),
        node: node === null ? null : outer(node),
        missing: missing.map(outer),
      })),
      able: played.able.map(outer),
    }
  );
}
