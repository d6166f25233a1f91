import { z } from 'zod';
import { namedStateSchema } from '#shared/run/event.ts';
import { procedure } from './common.ts';
import { nodeTallySchema } from './node-tally.ts';

/** A node whose iterations are read. */
const nodeOfRun = z.object({
  run_id: z.string(),
  /** Its id in the run (`Items[1]::Draft`). */
  node: z.string().min(1),
  /** True for a nested flow: an iteration is then everything from its first node to its last one. */
  nested: z.boolean().default(false),
});

/** One firing of a node; of an agent a visit with all its turns, of an `each` node all its items. */
export const iterationSchema = z.object({
  /** From 1. */
  index: z.int().positive(),
  from_seq: z.int().positive(),
  /** Its last record so far. A step that failed has no record: it has the number of the one after the run's last. */
  to_seq: z.int().positive(),
  status: z.enum(['done', 'running', 'waiting', 'failed', 'stopped']),
  duration_ms: z.number(),
  tokens: z.int(),
  /** Names of the states that it produced. */
  preview: z.string(),
});
export type Iteration = z.infer<typeof iterationSchema>;

export const iterationPageSchema = z.object({
  /** Iterations of the whole run. */
  total: z.int(),
  /** Index of the first one in `iterations`. */
  from: z.int(),
  iterations: z.array(iterationSchema),
});
export type IterationPage = z.infer<typeof iterationPageSchema>;

/** The rounds that contain a fold, outermost first: a fold may be inside an item, or a loop inside another one. Default: the run's own flow. */
const aroundSchema = z.array(z.object({ node: z.string().min(1), index: z.int().positive() })).max(100);
export type RoundsAround = z.infer<typeof aroundSchema>;

/**
 * A stretch of the timeline that consists of rounds, two or more: of a loop, or of the items of an `each` node, in one flow or in a flow that one of its agents
 * calls. Those inside its rounds are read with `within`.
 */
export const foldSchema = z.object({
  kind: z.enum(['loop', 'each']),
  /** The node with which each round of the loop begins; the `each` node. Its id in the run (`Items[1]::Count`). */
  node: z.string(),
  from_seq: z.int().positive(),
  to_seq: z.int().positive(),
  rounds: z.int().positive(),
});
export type Fold = z.infer<typeof foldSchema>;

/** A round of a fold: everything between two firings of its first node, or an item. */
export const roundSchema = iterationSchema.omit({ preview: true });
export type Round = z.infer<typeof roundSchema>;

const foldsOfRun = z.object({ run_id: z.string(), within: aroundSchema.default([]) });
const foldOfRun = foldsOfRun.extend({ node: z.string().min(1) });

export const logLineSchema = z.object({ seq: z.int(), level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() });

/** What one iteration consumed, produced, logged and used. */
export const iterationDetailSchema = iterationSchema.extend({
  input: z.array(namedStateSchema),
  output: z.array(namedStateSchema),
  /** What the iteration before it produced; null for the first one. */
  previous_output: z.array(namedStateSchema).nullable(),
  /** The first lines of its log. */
  log: z.array(logLineSchema),
  /** True if there are more lines than `log` has. */
  log_cut: z.boolean(),
  /** URLs of the models that answered. */
  models: z.array(z.string()),
  /** Model calls of an agent. */
  turns: z.int(),
  /** A pin supplied what it produced. */
  pinned: z.boolean(),
  /** Calls of tools and requests to models that mocks answered. */
  mocked: z.int(),
});
export type IterationDetail = z.infer<typeof iterationDetailSchema>;

export const iterationsContract = {
  /** Iterations of a node from number `from` on, `limit` at most. The work does not grow with the run's length. */
  iterations: procedure
    .input(nodeOfRun.extend({ from: z.int().positive().default(1), limit: z.int().positive().max(100).default(50) }))
    .output(iterationPageSchema),
  /**
   * Number and records of an iteration: the first with a failed attempt, the slowest, or the first whose output differs from that of the one before; with
   * `other_run_id`, from the iteration of the same number in that run. Null if there is none.
   */
  findIteration: procedure
    .input(nodeOfRun.extend({ which: z.enum(['first_failed', 'slowest', 'first_different']), other_run_id: z.string().optional() }))
    .output(iterationSchema.pick({ index: true, from_seq: true, to_seq: true }).nullable()),
  /** The stretches that the timeline folds, in order; with `within`, those inside a round. Of two that overlap, only the first one. */
  folds: procedure.input(foldsOfRun).output(z.array(foldSchema)),
  /** Rounds of a fold from number `from` on, or with `seq` from the one that contains that record on; `limit` at most. */
  rounds: procedure
    .input(
      foldOfRun.extend({ from: z.int().positive().default(1), seq: z.int().optional(), limit: z.int().positive().max(100).default(50) }),
    )
    .output(z.array(roundSchema)),
  /** The first round of a fold with a failed attempt, or the slowest one. Null if there is none. */
  findRound: procedure.input(foldOfRun.extend({ which: z.enum(['first_failed', 'slowest']) })).output(roundSchema.nullable()),
  /**
   * What ran from one record to another, both included. Statistics are those of the run's own flow, or with `inside` (`Items[1]`) of a flow in a frame, by the ids of
   * its nodes in the run. Agents are those that asked a model in these records, wherever they are, in the order in which they began to; the first 1,000.
   */
  ranBetween: procedure
    .input(z.object({ run_id: z.string(), from_seq: z.int().positive(), to_seq: z.int(), inside: z.string().min(1).optional() }))
    .output(z.object({ tallies: z.record(z.string(), nodeTallySchema), agents: z.array(z.string()) })),
  /** The last record up to `to_seq` of a node whose id begins with a text (`Items[`). Null if there is none. */
  lastInside: procedure
    .input(z.object({ run_id: z.string(), begins_with: z.string().min(1), to_seq: z.int() }))
    .output(z.object({ seq: z.int(), node: z.string() }).nullable()),
  /** Iteration number `index`; without it, the last one that had begun at record `seq` (default: now). */
  iteration: procedure
    .input(nodeOfRun.extend({ index: z.int().positive().optional(), seq: z.int().nonnegative().optional() }))
    .output(z.object({ total: z.int(), iteration: iterationDetailSchema.nullable() })),
};
