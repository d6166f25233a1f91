import { z } from 'zod';
import type { Json } from '#shared/json.ts';
import { agentPhases } from './agent-phase.ts';

const json = z.json() as z.ZodType<Json>;

/** One level of where a run is: a node of a file, and how far it has come with it. */
export const frameSchema = z.object({
  /** The file that the node is written in, relative to the workspace; empty in runs of older versions. */
  flow: z.string(),
  /** The node's id in that file. */
  node: z.string(),
  title: z.string(),
  kind: z.string(),
  /** Of an `each` node: the item that is run, from 0, and how many there are (null if unknown). */
  item: z.object({ index: z.int(), of: z.int().nullable() }).optional(),
  /** Of an agent in progress: its turn in this visit, from 1. */
  turn: z.int().optional(),
  phase: z.enum(agentPhases).optional(),
  /** The tool call that waits or is about to be made. */
  call: z.object({ id: z.string(), tool: z.string() }).optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/**
 * Why a run stands still: `entry` before its first transition, `step` and `pause` as the user asked, `breakpoint`, `state` and `tool` at breakpoints of that
 * kind, `error` at a failure, `waiting` for an answer, `hold` inside a transition.
 */
export const stopReasonSchema = z.enum(['entry', 'step', 'pause', 'breakpoint', 'state', 'tool', 'error', 'hold', 'waiting']);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** Where and why a run stands still. Known only to the process that drove it; never in a journal. */
export const stopSchema = z.object({
  reason: stopReasonSchema,
  /** `stop` is between two transitions, `hold` inside one. */
  point: z.enum(['stop', 'hold']),
  /** Outermost frame first. */
  place: z.array(frameSchema),
  /** The breakpoints that were hit, with their hits so far. */
  breakpoints: z.array(z.object({ id: z.string(), hits: z.int() })),
  /** Of a hold: the messages or the input that would be sent, if they are not too large to show. */
  values: json.optional(),
  /** For people: what was hit and where. */
  text: z.string(),
});
export type Stop = z.infer<typeof stopSchema>;

/** Returns a place as text: `Price all › item 3 of 4 › Half it`, `Ask › look-up › Find`. Items are counted from 1. */
export function placeText(place: readonly Frame[]): string {
  const insides = place.map(({ title, item, call }, index) => {
    if (item) return [title, itemText(item)];
    return call && index < place.length - 1 ? [title, toolText(call.tool)] : [title];
  });
  return insides.flat().join(' › ');
}

/** Returns the name of a called flow as text: `flow:./look-up.flow.yaml` is `look-up`. */
export function toolText(tool: string): string {
  return tool.replace(/^flow:(?:.*\/)?/s, '').replace(/\.flow\.(?:yaml|yml|json|ts|js)$/, '');
}

function itemText({ index, of }: NonNullable<Frame['item']>): string {
  return of === null ? `item ${index + 1}` : `item ${index + 1} of ${of}`;
}
