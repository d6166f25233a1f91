import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { stopSchema } from '#shared/run/stop.ts';
import { breakpointSchema, mostBreakpoints, watchSchema } from './breakpoint.ts';
import { json, procedure } from './common.ts';
import { lineageSchema, lineageSubject } from './lineage.ts';

/** The breakpoints and watches of the open folder. */
export const debugStateSchema = z.object({
  breakpoints: z.array(breakpointSchema),
  /** Ids of breakpoints whose flow has no such node or state now. They are kept. */
  unverified: z.array(z.string()),
  /** Breakpoints that followed a node which was renamed outside the studio, with its former id. Reported once. */
  moved: z.array(z.object({ id: z.string(), from: z.string() })),
  watches: z.array(watchSchema),
  /** Why the file could not be read or is not used, for the user. */
  notice: z.string().nullable(),
});
export type DebugState = z.infer<typeof debugStateSchema>;

/** Result of a watched expression. */
export const evaluatedSchema = z.union([z.object({ value: json }), z.object({ error: z.string() })]);

const atRun = { run_id: z.string(), seq: z.int().nonnegative() };

export const debugContract = {
  list: procedure.output(debugStateSchema),
  /** Adds breakpoints, or replaces those with the same ids. Fails with `Invalid` and the problem `bad_expr` for a condition that can't be parsed. */
  put: procedure.input(z.object({ breakpoints: z.array(breakpointSchema).max(mostBreakpoints) })).output(debugStateSchema),
  remove: procedure.input(z.object({ ids: z.array(z.string()).max(mostBreakpoints) })).output(debugStateSchema),
  /** Replaces the watches of one flow. */
  putWatches: procedure
    .input(z.object({ flow: z.string().min(1), expressions: z.array(watchSchema.shape.expression).max(100) }))
    .output(debugStateSchema),
  /** The state now and after each change, by any window or program. */
  watch: procedure.output(eventIterator(debugStateSchema)),
  /** Evaluates expressions at the node that waits or fires next after record `seq`. Never changes the run. Those that exceed 100 ms in all are refused. */
  evaluate: procedure.input(z.object({ ...atRun, expressions: z.array(z.string().max(10_000)).max(100) })).output(z.array(evaluatedSchema)),
  /**
   * Returns the records that a state after record `seq` came from, back to the run's input, or those that used it. With `path`, only those at which the value
   * at `path` was the same. Its work does not grow with the run's length. At most 200 records.
   */
  lineage: procedure.input(z.object({ ...atRun, ...lineageSubject })).output(lineageSchema),
  /** Returns the last place before record `seq` at which an enabled breakpoint would have stopped the run; null if there is none. */
  previousStop: procedure.input(z.object(atRun)).output(z.object({ seq: z.int().nonnegative(), stop: stopSchema }).nullable()),
};
