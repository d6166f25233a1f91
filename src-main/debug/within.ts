import type { GateCall, GatePoint } from '#main/engine/ports/gate.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { Frame } from '#shared/run/stop.ts';
import { type FrameDetail, framesOf, placeOf, type RunAt, unknownFrame } from './place.ts';

/** Returns a run as it is inside a step: flows that run within the step are frames, as if their steps were records. */
export function runWithin(at: RunAt, calls: readonly GateCall[]): RunAt {
  if (calls.length === 0) return at;
  const frames: Record<string, Control['frames'][string]> = { ...at.control.frames };
  const agents: Record<string, Control['agents'][string]> = { ...at.control.agents };
  for (const { key, call, snapshot } of calls) {
    const { states, control } = snapshot();
    frames[key] = { index: 0, states, results: [], call: { ...call, tainted: false, seconds: 0 } };
    for (const [id, frame] of Object.entries(control.frames)) frames[`${key}::${id}`] = frame;
    for (const [id, agent] of Object.entries(control.agents)) agents[`${key}::${id}`] = agent;
  }
  return { ...at, control: { ...at.control, frames, agents } };
}

/** Returns the frames of a point inside a step. `at`: the run before the step. */
export function framesOfPoint(graph: FlowGraph, { id, calls }: GatePoint, at: RunAt, detail: FrameDetail = {}): Frame[] {
  const place = placeOf(graph, id, runWithin(at, calls));
  return place ? framesOf(place, detail) : unknownFrame(id);
}
