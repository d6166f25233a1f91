import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { RecordedOutcome } from './replay-graph.ts';

/** Returns what a node inside an `each` node produced for its item, or the item's result, from the frames after its step. */
export function innerOutcome(node: string, frames: Control['frames']): RecordedOutcome {
  const each = /^(.*)\[\d+\]::[^[]*$/s.exec(node)?.[1];
  const frame = each === undefined ? undefined : frames[each];
  if (!frame) return { states: {} };
  if (frame.states.length > 0) return { states: byName(frame.states) };
  const ended = frame.results.at(-1)?.at(-1);
  return { states: {}, ...(ended !== undefined && { ended }) };
}

/** Converts states to an object. */
export function byName(states: readonly NamedState[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}
