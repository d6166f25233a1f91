import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import type { Frame } from '#shared/run/stop.ts';

/** A call of a flow that a run can be stepped into. */
export interface CallTarget {
  readonly label: string;
  /** Where the run is then. */
  readonly until: Breakpoint;
}

/** The longest input in a label. */
const longest = 100;

/** Returns the calls of flows that have not been made, in their order. `caller`: the agent's frame. */
export function targetsOf(graph: FlowGraph, pending: readonly PendingCall[], caller: Frame | undefined): CallTarget[] {
  if (!caller) return [];
  const before = new Map<string, number>();
  return pending.flatMap(({ tool, input, result, tool_call_id }): CallTarget[] => {
    const called = result === undefined ? graph.flow_tools?.[tool] : undefined;
    const first = called?.nodes.find(({ from }) => from.includes(called.input));
    const origin = called && first && originOf(called, first)[0];
    if (!origin) return [];
    const calls = (before.get(tool) ?? 0) + 1;
    before.set(tool, calls);
    const { flow, node } = origin;
    const inside = `${caller.flow}#${caller.node}`;
    const text = JSON.stringify(input);
    return [
      {
        label: `${tool} ${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}`,
        until: { id: `into ${tool_call_id}`.slice(0, longest), kind: 'before', flow, node, in: inside, hits: String(calls) },
      },
    ];
  });
}
