import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { agentPhases } from '#shared/run/agent-phase.ts';
import { aheadEventSchema, namedStateSchema, runEventSchema, suspensionSchema } from '#shared/run/event.ts';
import { messageSchema } from '#shared/run/message.ts';
import { frameSchema, stopSchema } from '#shared/run/stop.ts';
import { suppliedMarkSchema } from '#shared/run/supplied.ts';
import { answerDraftsContract } from './answer-drafts.ts';
import { json, procedure, transferableErrorSchema } from './common.ts';
import { iterationsContract } from './iterations.ts';
import { matrixContract } from './matrix.ts';
import { nodeTallySchema } from './node-tally.ts';
import { runOriginSchema } from './time-travel.ts';
import { timeTravelContract } from './time-travel-contract.ts';

/**
 * `running` while a transition is in progress; `queued` while it waits for other runs of this studio to rest, since the number of driven runs is limited (no journal
 * says this); `paused` between two transitions; the rest as in `end_stream`.
 */
export const runStatusSchema = z.enum(['queued', 'running', 'paused', 'suspended', 'success', 'error', 'cancelled']);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const runSummarySchema = z.object({
  run_id: z.string(),
  flow_path: z.string(),
  flow_name: z.string(),
  status: runStatusSchema,
  /** Number of the last record. */
  seq: z.int(),
  created_at: z.number(),
  updated_at: z.number(),
  error: transferableErrorSchema.nullable(),
  /** What waits, first one first; `title` is what the node is called. A reader of events fills it in from the flow. */
  suspensions: z.array(suspensionSchema.extend({ since: z.number(), title: z.string().optional() })),
  tokens: z.int(),
  /** The record of another run that this one began with; null for one that began with an input. */
  forked_from: runOriginSchema.nullable(),
  /** It came with the folder, or in a capsule: it can be looked at and forked, not driven. */
  read_only: z.boolean(),
  /** Number of outputs and calls that pins and mocks supplied, in this run and in what it was forked from; absent if none. */
  supplied: z.int().positive().optional(),
  /** Where and why it stands still; absent if this studio has not driven it to where it is now, and after its end. */
  stop: stopSchema.optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

/** One row of the timeline. */
export const timelineEntrySchema = z.object({
  seq: z.int(),
  type: z.enum(['transition', 'suspended', 'resumed']),
  node: z.string(),
  kind: z.string(),
  phase: z.enum(agentPhases).optional(),
  /** Of an agent: in which of the turns of this visit it falls, from 1. */
  turn: z.int().optional(),
  consumed: z.array(z.string()),
  produced: z.array(z.string()),
  started_at: z.number(),
  duration_ms: z.number(),
  tokens: z.int(),
  /** What happened, in a few words (`2 calls`, `write_file waits`). */
  note: z.string(),
  /** Present if a pin supplied what the node produced. */
  supplied: suppliedMarkSchema.optional(),
  /** Number of its calls that mocks answered. */
  mocked: z.int().positive().optional(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** A range of timeline rows. Records have no gaps, so row `seq` is `entries[seq - from]`. */
export const timelinePageSchema = z.object({
  /** Rows of the whole run. */
  total: z.int(),
  /** Number of the first record in `entries`. */
  from: z.int(),
  entries: z.array(timelineEntrySchema),
});
export type TimelinePage = z.infer<typeof timelinePageSchema>;

/** A state as it was after some step. */
export const stateEntrySchema = namedStateSchema.extend({
  /** Record that wrote it; 0 is the run's input. */
  written_at: z.int(),
  written_by: z.string(),
  /** Value of the same name before the shown step, where the step replaced it. */
  previous: json.optional(),
});
export type StateEntry = z.infer<typeof stateEntrySchema>;

/** Where an `each` node is that has begun and not finished, or a flow that an agent calls. */
export const frameProgressSchema = z.object({
  /** The `each` node; of a called flow, what the ids of its nodes begin with (`Ask::flow:./lookup.flow.yaml[call_1]`). */
  node: z.string(),
  /** The item that is run, from 0; the number of items when all are done. */
  index: z.int(),
  /** How many items there are; null where their list cannot be found. */
  of: z.int().nullable(),
  /** Of a called flow. */
  call: z.object({ id: z.string(), tool: z.string() }).optional(),
  /** States that wait inside the item, by their own names; empty before its first step. */
  states: z.array(namedStateSchema),
  /** Node inside the item that fires next, by its id in the run (`Items[1]::Draft`); null after the last item. */
  next: z.string().nullable(),
});
export type FrameProgress = z.infer<typeof frameProgressSchema>;

/** The state map after step `seq` (0: as the run began). */
export const stateAtSchema = z.object({
  seq: z.int(),
  /** The node whose record this is; null for 0. */
  node: z.string().nullable(),
  states: z.array(stateEntrySchema),
  /** States that this step consumed, with their last value. */
  consumed: z.array(stateEntrySchema),
  /** Node that fires next, if the run stood here; null when it ended or waits. */
  next: z.string().nullable(),
  /** What has run up to this step, by node of the flow. */
  tallies: z.record(z.string(), nodeTallySchema),
  /** `each` nodes and called flows in progress, outer ones first. */
  items: z.array(frameProgressSchema),
});
export type StateAt = z.infer<typeof stateAtSchema>;

/** What one transition of an agent took. */
export const agentTurnSchema = z.object({
  seq: z.int(),
  /** In which of the turns of this visit it falls, from 1; null in runs of older programs. */
  turn: z.int().nullable(),
  phase: z.enum(agentPhases),
  /** The model that answered, as its URL; null for an act. */
  model: z.string().nullable(),
  tokens: z.int(),
  tokens_in: z.int().nullable(),
  tokens_out: z.int().nullable(),
  duration_ms: z.number(),
  /** Number of its calls, of the model or of tools, that mocks answered. */
  mocked: z.int(),
});
export type AgentTurn = z.infer<typeof agentTurnSchema>;

export const runDetailSchema = runSummarySchema.extend({
  /** Document text of the flow as it was when the run began. */
  flow_text: z.string(),
  input: json,
  output: json.nullable(),
  /** The last rows of the timeline; the others come from `timeline`. */
  timeline: timelinePageSchema,
  current: stateAtSchema,
  /** Titles of nodes inside nested flows, by their ids in the run; inside an `each` without the item's number (`Items[]::Draft`). */
  titles: z.record(z.string(), z.string()),
  /** Agents in progress, by node. */
  agents: z.record(z.string(), z.object({ phase: z.enum(['reason', 'act']), turn: z.int() })),
  /** Nodes that have talked to a model, with the record in which they began to. In that order. */
  conversations: z.array(z.object({ node: z.string(), since: z.int() })),
});
export type RunDetail = z.infer<typeof runDetailSchema>;

const runId = z.object({ run_id: z.string() });

/** A place to which a run continues once: a node that is about to fire, or a state that is written. Both as in their file. */
export const runToSchema = z.union([z.object({ flow: z.string(), node: z.string() }), z.object({ flow: z.string(), state: z.string() })]);
export type RunTo = z.infer<typeof runToSchema>;

export const runsContract = {
  ...timeTravelContract,
  ...answerDraftsContract,
  ...iterationsContract,
  ...matrixContract,
  /** Starts a run of a text (saved or not) and leaves it paused before its first transition. */
  start: procedure
    .input(z.object({ flow_path: z.string(), text: z.string(), input: json, models: z.record(z.string(), z.string()).optional() }))
    .output(runDetailSchema),
  list: procedure
    .input(z.object({ flow_path: z.string().optional(), limit: z.int().max(1000).default(100) }))
    .output(z.array(runSummarySchema)),
  get: procedure.input(runId).output(runDetailSchema),
  /**
   * `into`: one transition. `over`: until the node that fires next has finished (all of an agent's turns). `out`: until the innermost frame has finished: the
   * agent in progress, the nested flow, the item of an `each` node, else the run.
   */
  step: procedure.input(runId.extend({ mode: z.enum(['into', 'over', 'out']) })).output(runDetailSchema),
  /** Runs on until the end, a suspension, a failure, `pause` or `stop`; returns at once, with `queued` where the run has to wait for its turn. */
  continue: procedure.input(runId.extend({ until: runToSchema.optional() })).output(runSummarySchema),
  /** Continues a run that is held inside a transition (`stop.point` is `hold`), as far as `mode` says. Refused with `Conflict` if it isn't held. */
  continueHeld: procedure.input(runId.extend({ mode: z.enum(['into', 'over', 'out', 'continue']) })).output(runSummarySchema),
  /** Leaves the transition in which a run is held, without making its call: the run pauses before it. Refused with `Conflict` if it isn't held. */
  leaveHold: procedure.input(runId).output(runSummarySchema),
  /** Stops after the current transition; removes a queued run from the queue. */
  pause: procedure.input(runId).output(runSummarySchema),
  /** Cancels for good, also inside a transition. */
  stop: procedure.input(runId).output(runSummarySchema),
  /** Answers what waits. Refused when `tool_call_id` is not what waits first (answered already, or not asked yet). The run stays paused after it unless `then_continue`. */
  resume: procedure
    .input(runId.extend({ tool_id: z.string(), tool_call_id: z.string(), payload: json, then_continue: z.boolean().default(false) }))
    .output(runDetailSchema),
  /** Rows of the timeline from record `from` on, `limit` at most. */
  timeline: procedure
    .input(runId.extend({ from: z.int().positive(), limit: z.int().positive().max(2000).default(500) }))
    .output(timelinePageSchema),
  stateAt: procedure.input(runId.extend({ seq: z.int().nonnegative() })).output(stateAtSchema),
  /** Where record `seq` was made, outermost frame first; for 0, the node that fires first, and without `seq`, the one that waits or fires next. Empty when the run has ended. */
  frames: procedure.input(runId.extend({ seq: z.int().nonnegative().optional() })).output(z.array(frameSchema)),
  /** An agent's messages up to a step (default: all). */
  conversation: procedure.input(runId.extend({ node: z.string(), seq: z.int().optional() })).output(z.array(messageSchema)),
  /** What an agent's transitions took, up to a step (default: all). In order. */
  turns: procedure.input(runId.extend({ node: z.string(), seq: z.int().optional() })).output(z.array(agentTurnSchema)),
  /** What approving this input would change on disk; null for a tool that writes no file. */
  preview: procedure
    .input(runId.extend({ tool_call_id: z.string(), input: json }))
    .output(
      z.object({ path: z.string(), before: z.string().nullable(), after: z.string(), before_hash: z.string().nullable() }).nullable(),
    ),
  /** Everything after record `after_seq`, then live. Ends when the run has ended. */
  events: procedure.input(runId.extend({ after_seq: z.int().default(0) })).output(eventIterator(runEventSchema)),
  /**
   * Events of steps that are made before their turn, as they happen: for a look at all that works now. They have no `seq`; `events` has each of them again,
   * with its `seq`, when its turn has come.
   */
  ahead: procedure.input(runId).output(eventIterator(aheadEventSchema)),
  /** Summaries as they change, all runs of the open folder: feeds the run list, the inbox and notifications. */
  watch: procedure.output(eventIterator(runSummarySchema)),
  remove: procedure.input(runId).output(z.object({})),
};
