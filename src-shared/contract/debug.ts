import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { stopSchema } from '#shared/run/stop.ts';
import { breakpointSchema, mostBreakpoints, watchSchema } from './breakpoint.ts';
import { json, procedure } from './common.ts';
import { coverageSchema } from './coverage.ts';
import { lineageSchema, lineageSubject } from './lineage.ts';
import { mostSupplied, suppliedSchema } from './supplied.ts';

/** The breakpoints, watches, pins and mocks of the open folder. */
export const debugStateSchema = z.object({
  /** Grows with each reading of the file: an answer may arrive after a later state of `watch`. */
  revision: z.int(),
  breakpoints: z.array(breakpointSchema),
  /** Ids of breakpoints and pins whose flow has no such node or state now. They are kept. */
  unverified: z.array(z.string()),
  /** Breakpoints and pins that followed a node which was renamed outside the studio, with its former id. Reported once. */
  moved: z.array(z.object({ id: z.string(), from: z.string() })),
  watches: z.array(watchSchema),
  /** Pins and mocks. */
  supplied: z.array(suppliedSchema),
  /** The switch *Supplied outputs*. */
  supplied_on: z.boolean(),
  /** The folder came with another user's breakpoints, which are off and unread until they are taken over. */
  foreign: z.boolean(),
  /** Why the file could not be read, for the user. */
  notice: z.string().nullable(),
});
export type DebugState = z.infer<typeof debugStateSchema>;

/** Result of a watched expression. */
export const evaluatedSchema = z.union([z.object({ value: json }), z.object({ error: z.string() })]);

/** How far a search has come, or its result. */
export const foundSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), seq: z.int() }),
  z.object({
    type: z.literal('end'),
    /** The record; null if there is none. */
    seq: z.int().nullable(),
    /** Why the expression had no value after any record that was searched; null if it had one. */
    fault: z.string().nullable(),
  }),
]);
export type Found = z.infer<typeof foundSchema>;

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
  /**
   * Adds pins and mocks, or replaces those with the same ids; a pin also replaces another one of its node. Fails with `Invalid` for one that doesn't fit the
   * flow's or the tool's schema (`details.path`), and for an expression that can't be parsed.
   */
  putSupplied: procedure.input(z.object({ supplied: z.array(suppliedSchema).max(mostSupplied) })).output(debugStateSchema),
  removeSupplied: procedure.input(z.object({ ids: z.array(z.string()).max(mostSupplied) })).output(debugStateSchema),
  /** The switch *Supplied outputs*: whether runs of the studio use pins and mocks. */
  switchSupplied: procedure.input(z.object({ on: z.boolean() })).output(debugStateSchema),
  /** Uses breakpoints, pins and mocks that came with the folder from now on. */
  takeOver: procedure.output(debugStateSchema),
  /** The state now and after each change, by any window or program. */
  watch: procedure.output(eventIterator(debugStateSchema)),
  /** Evaluates expressions at the node that waits or fires next after record `seq`. Never changes the run. Those that exceed 100 ms in all are refused. */
  evaluate: procedure.input(z.object({ ...atRun, expressions: z.array(z.string().max(10_000)).max(100) })).output(z.array(evaluatedSchema)),
  /**
   * Returns the records that a state after record `seq` came from, back to the run's input, or those that used it. With `path`, only those at which the value
   * at `path` was the same. Its work does not grow with the run's length. At most 200 records.
   */
  lineage: procedure.input(z.object({ ...atRun, ...lineageSubject })).output(lineageSchema),
  /**
   * Searches for the first record after (`forth`) or before (`back`) record `from` after which an expression is true. Reports how far it has come; the last
   * event is `end`. Leaving the stream cancels the search. Fails with `Invalid` and the problem `bad_expr` for an expression that can't be parsed.
   */
  find: procedure
    .input(
      z.object({
        run_id: z.string(),
        expression: z.string().max(10_000),
        from: z.int().nonnegative(),
        direction: z.enum(['forth', 'back']),
      }),
    )
    .output(eventIterator(foundSchema)),
  /**
   * Counts what runs took of a flow's file, wherever it ran, and lists what none took. `text` is the flow as it is now (default: the saved file). Without
   * `runs` and `capsules`: the newest 200 runs of the folder. `left_out`: runs that were not counted because counting took too long, the oldest ones.
   */
  coverage: procedure
    .input(
      z.object({
        flow: z.string().min(1),
        text: z.string().optional(),
        runs: z.array(z.string()).max(1000).optional(),
        /** Files relative to the folder. */
        capsules: z.array(z.string()).max(1000).optional(),
      }),
    )
    .output(coverageSchema.extend({ left_out: z.int() })),
  /** Returns the records before and after record `seq` that wrote a state. Inside an item, only those of that item. */
  writesAround: procedure
    .input(z.object({ ...atRun, state: lineageSubject.state, item: lineageSubject.item }))
    .output(z.object({ previous: z.int().nullable(), next: z.int().nullable() })),
  /** Evaluates an expression over the whole run, at no more than 500 records that are evenly spread over it. Null where the value is neither a number nor a boolean. */
  plot: procedure
    .input(z.object({ run_id: z.string(), expression: z.string().max(10_000) }))
    .output(z.array(z.object({ seq: z.int(), value: z.number().nullable() }))),
  /** Returns the last place before record `seq` at which an enabled breakpoint would have stopped the run; null if there is none. */
  previousStop: procedure.input(z.object(atRun)).output(z.object({ seq: z.int().nonnegative(), stop: stopSchema }).nullable()),
};
