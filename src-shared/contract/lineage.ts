import { z } from 'zod';
import { frameSchema } from '#shared/run/stop.ts';

/** One record at which a followed state was written or, forwards, used. */
export const lineageStepSchema = z.object({
  /** The record; 0 is the run's start. */
  seq: z.int().nonnegative(),
  /** The state that it wrote or, forwards, consumed, by its name in the run (`Items[2]::Draft`). */
  state: z.string(),
  /** That state's name in the file of its node. */
  name: z.string(),
  /** Where the value is in that state, as a JSON Pointer; null if all of the state is followed. */
  path: z.string().nullable(),
  /** The node's id in the run; null for the run's start. */
  node: z.string().nullable(),
  /** The node, outermost frame first; an agent's with its turn. Empty for the run's start. */
  place: z.array(frameSchema),
  /** Position of the step that this one led to (forwards: that led to this one); null for the first one. */
  of: z.int().nullable(),
  /**
   * `asked`: the state in question. `consumed`: was an input of the other step. `copied`: the node passed the value on. `same_value`: both have the same
   * value, which may be by chance.
   */
  how: z.enum(['asked', 'consumed', 'copied', 'same_value']),
  /** The value is in none of the states that this record consumed. */
  introduced: z.boolean().optional(),
  /** Of a node that introduced the value: its last tool call whose result contains the same value; of an agent with its turn. */
  found_in: z.object({ seq: z.int(), tool: z.string(), turn: z.int().optional() }).nullable().optional(),
});
export type LineageStep = z.infer<typeof lineageStepSchema>;

export const lineageSchema = z.object({
  steps: z.array(lineageStepSchema),
  /** There are more steps than are returned. */
  cut: z.boolean(),
});
export type Lineage = z.infer<typeof lineageSchema>;

/** The state whose lineage is read. */
export const lineageSubject = {
  /** The state's name in the run; inside an item, its name there. */
  state: z.string().min(1),
  /** The item of an `each` node, or the called flow, that contains it, by its id in the run (`Items[2]`, `Ask::flow:./find.flow.yaml[call_1]`). */
  item: z.string().optional(),
  /** JSON Pointer of the value that is followed. Default: all that the state was made of. */
  path: z.string().optional(),
  /** `back`: what it came from. `forth`: what used it. */
  direction: z.enum(['back', 'forth']).default('back'),
};
