import { z } from 'zod';
import { json, transferableErrorSchema } from '#shared/contract/common.ts';
import { runStatusSchema, runSummarySchema, stateAtSchema, timelineEntrySchema } from '#shared/contract/runs.ts';
import { comparisonSchema, flowChoiceSchema, replayReportSchema, runOriginSchema } from '#shared/contract/time-travel.ts';
import { namedStateSchema, runEventSchema, suspensionSchema } from '#shared/run/event.ts';
import { messageSchema } from '#shared/run/message.ts';
import { accepted, created, gone, ok, pageOf, pageQuery, route, timeSchema } from './common.ts';

export const servedSuspensionSchema = suspensionSchema.extend({ since: timeSchema, title: z.string().optional() });

/** A run in lists. */
export const servedRunSchema = runSummarySchema.omit({ flow_path: true, created_at: true, updated_at: true, suspensions: true }).extend({
  run_id: z.string(),
  /** Name of its flow. */
  flow: z.string(),
  status: runStatusSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  error: transferableErrorSchema.nullable(),
  suspensions: z.array(servedSuspensionSchema),
  forked_from: runOriginSchema.nullable(),
});
export type ServedRun = z.infer<typeof servedRunSchema>;

export const servedRunDetailSchema = servedRunSchema.extend({
  input: json,
  /** The output; null before the run has ended, and if it did not succeed. */
  output: json.nullable(),
  /** States that wait to be consumed. */
  states: z.array(namedStateSchema),
  /** Node that fires next; null if the run has ended or waits. */
  next: z.string().nullable(),
  /** What the caller that started the run attached to it. */
  metadata: z.record(z.string(), json),
});
export type ServedRunDetail = z.infer<typeof servedRunDetailSchema>;

export const servedStepSchema = timelineEntrySchema.omit({ started_at: true }).extend({ started_at: timeSchema });
export type ServedStep = z.infer<typeof servedStepSchema>;

const runParams = z.object({ run_id: z.uuid() });
const stepParams = runParams.extend({ seq: z.coerce.number().int().nonnegative() });
/** The record that the caller has seen last: if the run has moved on, it is refused with 409 instead of doing what the caller did not mean. */
const afterSeq = z.int().nonnegative().optional();
const body = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape);
/** A body that may be left out. */
const optionalBody = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).optional();
const tags = ['Runs'];

export const runsRoutes = {
  start: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs', tags, summary: 'Start a run', successStatus: 201 })
    .input(
      z.object({
        query: z.strictObject({ wait: z.coerce.number().min(0).max(60).optional() }).optional(),
        body: body({
          flow: z.string().min(1).max(1000),
          input: json,
          /** Models in place of the flow's, by node. */
          models: z.record(z.string(), z.string()).optional(),
          /** Leaves the run before its first transition. */
          paused: z.boolean().default(false),
          metadata: z.record(z.string(), json).default({}),
        }),
      }),
    )
    .output(created(servedRunDetailSchema)),
  list: route
    .route({ method: 'GET', path: '/v1/runs', tags, summary: 'List runs' })
    .input(
      z.object({
        query: z.strictObject({ ...pageQuery, flow: z.string().max(1000).optional(), status: runStatusSchema.optional() }),
      }),
    )
    .output(ok(pageOf(servedRunSchema))),
  get: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}', tags, summary: 'Read a run' })
    .input(z.object({ params: runParams }))
    .output(ok(servedRunDetailSchema)),
  remove: route
    .meta({ scope: 'run' })
    .route({ method: 'DELETE', path: '/v1/runs/{run_id}', tags, summary: 'Remove a run', successStatus: 204 })
    .input(z.object({ params: runParams }))
    .output(gone),
  steps: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/steps', tags, summary: 'Read the timeline' })
    .input(
      z.object({
        params: runParams,
        query: z.strictObject({
          from: z.coerce.number().int().positive().default(1),
          limit: z.coerce.number().int().min(1).max(200).default(50),
        }),
      }),
    )
    .output(ok(z.object({ data: z.array(servedStepSchema), total: z.int() }))),
  stateAt: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/steps/{seq}', tags, summary: 'Read the states after a step' })
    .input(z.object({ params: stepParams }))
    .output(ok(stateAtSchema)),
  conversation: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/conversation', tags, summary: 'Read an agent’s messages' })
    .input(
      z.object({
        params: runParams,
        query: z.strictObject({ node: z.string().min(1).max(1000), seq: z.coerce.number().int().nonnegative().optional() }),
      }),
    )
    .output(ok(z.object({ data: z.array(messageSchema) }))),
  events: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/events', tags, summary: 'Read the recorded events, or stream all' })
    .input(z.object({ params: runParams, query: z.strictObject({ after_seq: z.coerce.number().int().nonnegative().default(0) }) }))
    .output(
      ok(
        z.object({
          data: z.array(runEventSchema),
          /** Give it back as `after_seq` for what follows; null after the last record. */
          next_after_seq: z.int().nullable(),
        }),
      ),
    ),
  step: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/step', tags, summary: 'Execute one step' })
    .input(
      z.object({
        params: runParams,
        body: optionalBody({ mode: z.enum(['into', 'over', 'out']).default('into'), after_seq: afterSeq }),
      }),
    )
    .output(ok(servedRunDetailSchema)),
  continue: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/continue', tags, summary: 'Continue a run', successStatus: 202 })
    .input(
      z.object({ params: runParams, body: optionalBody({ max_steps: z.int().positive().max(1_000_000).optional(), after_seq: afterSeq }) }),
    )
    .output(accepted(servedRunSchema)),
  pause: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/pause', tags, summary: 'Pause after the current step', successStatus: 202 })
    .input(z.object({ params: runParams, body: optionalBody({}) }))
    .output(accepted(servedRunSchema)),
  cancel: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/cancel', tags, summary: 'Cancel a run', successStatus: 202 })
    .input(z.object({ params: runParams, body: optionalBody({}) }))
    .output(accepted(servedRunSchema)),
  resume: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/resume', tags, summary: 'Answer what waits' })
    .input(
      z.object({
        params: runParams,
        body: body({
          tool_id: z.string(),
          tool_call_id: z.string(),
          payload: json,
          then_continue: z.boolean().default(true),
          after_seq: afterSeq,
        }),
      }),
    )
    .output(ok(servedRunDetailSchema)),
  fork: route
    .meta({ scope: 'run' })
    .route({ method: 'POST', path: '/v1/runs/{run_id}/fork', tags, summary: 'Branch off after a step', successStatus: 201 })
    .input(
      z.object({
        params: runParams,
        body: body({
          seq: z.int().nonnegative(),
          states: z.array(namedStateSchema).default([]),
          drop: z.array(z.string()).default([]),
          flow: flowChoiceSchema.default('recorded'),
        }),
      }),
    )
    .output(created(servedRunDetailSchema)),
  replay: route
    .route({ method: 'POST', path: '/v1/runs/{run_id}/replay', tags, summary: 'Replay a run from its recorded side effects' })
    .input(z.object({ params: runParams, body: optionalBody({ flow: flowChoiceSchema.default('recorded') }) }))
    .output(ok(replayReportSchema)),
  compare: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/compare/{other_run_id}', tags, summary: 'Compare two runs' })
    .input(
      z.object({
        params: runParams.extend({ other_run_id: z.uuid() }),
        query: z.strictObject({
          from: z.coerce.number().int().nonnegative().default(0),
          limit: z.coerce.number().int().min(1).max(1000).default(200),
        }),
      }),
    )
    .output(ok(comparisonSchema)),
  capsule: route
    .route({ method: 'GET', path: '/v1/runs/{run_id}/capsule', tags, summary: 'Export a run as one file' })
    .input(z.object({ params: runParams }))
    .output(ok(z.object({ file_name: z.string(), content: z.string() }))),
};
