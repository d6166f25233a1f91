import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { enclosingFrameKey } from '#shared/run/node-id.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { isOwnEvent } from '#shared/run/step-frame.ts';
import type { RecordedOutcome } from './replay-graph.ts';

/** Returns what a node inside a frame (an item, a called flow) produced in it, or the frame's result, from the frames after its step. */
export function innerOutcome(node: string, frames: Control['frames']): RecordedOutcome {
  const key = enclosingFrameKey(node);
  const frame = key === null ? undefined : frames[key];
  if (!frame) return { states: {} };
  if (frame.states.length > 0) return { states: byName(frame.states) };
  const ended = frame.results.at(-1)?.at(-1);
  return { states: {}, ...(ended !== undefined && { ended }) };
}

/** Returns what a record's node produced; inside a frame, as the frame's states after it and the names in its last event tell. */
export function producedBy(
  { node, produced }: { readonly node: string; readonly produced: readonly NamedState[] },
  frames: Control['frames'],
  events: readonly RunEvent[],
): readonly NamedState[] {
  if (enclosingFrameKey(node) === null) return produced;
  const exit = events.find((event) => event.type === 'node_exit' && isOwnEvent(event, node));
  const names = exit?.type === 'node_exit' && Array.isArray(exit.produced) ? exit.produced : [];
  const { states, ended } = innerOutcome(node, frames);
  return names.map((name) => ({ name, value: (states[name] ?? ended) as Json }));
}

/** Converts states to an object. */
export function byName(states: readonly NamedState[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}

/** Returns the failure with which a node ended the called flow around it, from the frames after its step. */
export function callErrorOf(node: string, frames: Control['frames']): TransferableError | null {
  const ended = Object.entries(frames).find(([key, { call }]) => call?.error && node.startsWith(`${key}::`));
  return ended?.[1].call?.error ?? null;
}
