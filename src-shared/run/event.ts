import { z } from 'zod';
import type { Json } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import { agentPhases } from './agent-phase.ts';
import type { TransferableError } from './error.ts';
import { stopSchema } from './stop.ts';
import { suppliedMarkSchema } from './supplied.ts';

const json = z.json() as z.ZodType<Json>;
const transferableError = roughSchema<TransferableError>(
  z.looseObject({
    type: z.enum(['FlowError', 'ToolError']),
    variant: z.string(),
    message: z.string(),
  }),
);

/** Fields of every event. `seq` is the number of the transition it belongs to, from 1; `timestamp` is in milliseconds. */
const common = {
  run_id: z.string(),
  seq: z.int().nonnegative(),
  timestamp: z.number(),
  trace_id: z.string().optional(),
  span_id: z.string().optional(),
  parent_span_id: z.string().optional(),
  /**
   * pagantic's correlation, where events are read (`Correlation`). `caused_by`: of a tool's events the transition of the model call, of those of a flow
   * called as a tool the call, of a plan's step its name.
   */
  request_id: z.string().optional(),
  session_id: z.string().optional(),
  step_name: z.string().optional(),
  caused_by: z.string().optional(),
};
const atNode = { ...common, node: z.string() };
const inference = { ...atNode, turn: z.int() };
const namedValues = z.record(z.string(), json);

const checkVerdict = {
  name: z.string(),
  kind: z.enum(['rule', 'judge']),
  pass: z.boolean(),
  /** Of a judge: how sure it is, from 0 to 1. */
  confidence: z.number().optional(),
  reason: z.string().optional(),
  /** A person has passed it although it failed. */
  by: z.literal('person').optional(),
};

const validationResult = {
  valid: z.boolean(),
  schema_errors: z.array(z.object({ path: z.string(), keyword: z.string(), message: z.string() })),
  /** The answer was not the JSON itself. Absent where no text was read. */
  repaired: z.boolean().optional(),
  /** Answers, the accepted one included. */
  attempts: z.int(),
  checks: z.array(z.object(checkVerdict)),
};

/** How an output was validated (pagantic's `ValidationResult`). */
export type ValidationResult = z.infer<z.ZodObject<typeof validationResult>>;

/** A waiting state with its name. */
export const namedStateSchema = z.object({ name: z.string(), value: json });

/**
 * Why a run waits. `call`: a tool asked a question; `approval`: a tool call needs approval; `suspend_node`: the node always waits;
 * `unknown_outcome`: the process ended during a side effect, whose outcome is unknown.
 */
const suspensionReasonSchema = z.enum(['call', 'approval', 'suspend_node', 'unknown_outcome']);

/** A question to a person or a program. */
export const suspensionSchema = z.object({
  reason: suspensionReasonSchema,
  tool_id: z.string(),
  /** In a flow that is called as a tool, the question's id there. `tool_id` is then that of the outermost call. */
  inner_tool_id: z.string().optional(),
  node: z.string(),
  /** The suspended call; a `suspend` node has a generated id. */
  tool_call_id: z.string(),
  value: json,
  /** JSON Schema of the payload that answers it, if known. */
  payload_schema: json.optional(),
});
/** A question that a run waits for: who asks, what, and the schema of the answer. */
export type Suspension = z.infer<typeof suspensionSchema>;

export const endStatusSchema = z.enum(['success', 'error', 'cancelled', 'suspended', 'paused']);

/** The events of a run (vocabulary of Praxis, fields of pagantic), flat and tagged by `type`. */
export const runEventSchema = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('init_stream'),
    flow: z.string(),
    flow_hash: z.string(),
    /** Key of a chat's conversation, and the session of a request. */
    conversation_id: z.string().optional(),
  }),
  z.object({ ...atNode, type: z.literal('node_enter'), kind: z.string(), phase: z.enum(agentPhases).optional() }),
  z.object({
    ...atNode,
    type: z.literal('node_exit'),
    kind: z.string(),
    phase: z.enum(agentPhases).optional(),
    duration_ms: z.number(),
    /** Names inside the engine; `--json` and REST fill in the values by name (`{"A": value}`). */
    consumed: z.union([z.array(z.string()), namedValues]),
    produced: z.union([z.array(z.string()), namedValues]),
    /** Present if a pin supplied what the node produced. */
    supplied: suppliedMarkSchema.optional(),
  }),
  z.object({ ...inference, type: z.literal('reasoning'), content: z.string() }),
  z.object({ ...inference, type: z.literal('message'), content: z.string() }),
  z.object({
    ...inference,
    type: z.literal('inference_start'),
    model: z.string(),
    message_count: z.int(),
    tool_defs_count: z.int(),
    schema_present: z.boolean(),
    grammar_present: z.boolean(),
    temperature: z.number().optional(),
    /** The budget is used up, and the model has to answer from what is known. */
    conclusion: z.literal(true).optional(),
    /** What the request is estimated to be (`context.count`); `inference_end` has what it was. */
    tokens_estimated: z.int().optional(),
  }),
  /** The model call has waited for the rate of its provider. */
  z.object({ ...inference, type: z.literal('inference_wait'), reason: z.enum(['requests', 'tokens', 'concurrent']), ms: z.number() }),
  /** The model call has failed for now (`code`) and is made again after `ms`. */
  z.object({ ...inference, type: z.literal('inference_retry'), attempt: z.int(), code: z.string(), ms: z.number() }),
  z.object({
    ...inference,
    type: z.literal('inference_end'),
    duration_ms: z.number(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    /** Parts of `tokens_in` and `tokens_out`; absent where the provider reports none. */
    tokens_cached: z.int().optional(),
    tokens_reasoning: z.int().optional(),
    finish_reason: z.enum(['stop', 'tool', 'length', 'error']),
    tool_call_count: z.int(),
    /** Present if a mock supplied the answer. */
    supplied: suppliedMarkSchema.optional(),
  }),
  z.object({
    ...atNode,
    type: z.literal('tool_call'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    arguments: json,
    args_hash: z.string(),
  }),
  /** A person changed the input of a call that was announced before, and approved it: it runs with `arguments`. */
  z.object({
    ...atNode,
    type: z.literal('tool_call_edited'),
    tool_call_id: z.string(),
    arguments: json,
    args_hash: z.string(),
    by: z.literal('person'),
  }),
  z.object({
    ...atNode,
    type: z.literal('tool_result'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    result: json,
    is_error: z.boolean(),
    duration_ms: z.number(),
    /** Of the input that the call ran with. Absent where it did not run, and in records of older programs. */
    args_hash: z.string().optional(),
    error_code: z.string().optional(),
    /** Present if a mock supplied the result. */
    supplied: suppliedMarkSchema.optional(),
  }),
  /** What a check of an agent's input or output came to (`guards`). */
  z.object({ ...atNode, type: z.literal('guard'), stage: z.enum(['input', 'output']), ...checkVerdict }),
  /** How the output of a visit was validated. */
  z.object({ ...atNode, type: z.literal('validation'), ...validationResult }),
  /** What an agent's controller has decided. */
  z.object({
    ...atNode,
    type: z.literal('control'),
    point: z.enum(['before_model', 'before_tools', 'after_tools']),
    do: z.enum(['continue', 'redirect', 'conclude', 'suspend', 'abort']),
    guidance: z.string().optional(),
    tools: z.array(z.string()).optional(),
  }),
  z.object({ ...common, ...suspensionSchema.shape, type: z.literal('suspended') }),
  z.object({ ...atNode, type: z.literal('resumed'), tool_id: z.string(), tool_call_id: z.string(), payload: json }),
  z.object({
    ...common,
    type: z.literal('lifecycle'),
    from: z.string(),
    to: z.string(),
    attempt: z.int(),
    reason: z.string(),
    node: z.string().optional(),
    /** Of a node within a request (`callAgent`), such as a step of its plan; the request's own have no node. */
    inner: z.literal(true).optional(),
  }),
  /** `breakpoint`: a line of this log point, which is emitted and not recorded. */
  z.object({
    ...atNode,
    type: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    values: z.array(json),
    breakpoint: z.string().optional(),
  }),
  /** The subscriber fell behind: re-read `from`..`to` (seq) from the journal. */
  z.object({ ...common, type: z.literal('gap'), from: z.int(), to: z.int() }),
  z.object({
    ...common,
    type: z.literal('error'),
    node: z.string().nullable(),
    error: transferableError,
    /** Of `error`, flat. Absent in records of older programs. */
    message: z.string().optional(),
    node_id: z.string().nullable().optional(),
    error_code: z.string().optional(),
    /** False for a replica of a redundant agent that has failed: the others go on. */
    counted: z.literal(false).optional(),
  }),
  z.object({
    ...common,
    type: z.literal('end_stream'),
    status: endStatusSchema,
    output: json.optional(),
    error: transferableError.optional(),
    states: z.array(namedStateSchema),
    /** Where and why the run is stopped; absent after its end. */
    stop: stopSchema.optional(),
    total_duration_ms: z.number(),
    /** Tokens of the whole run. */
    tokens_used: z.int(),
    /** Tokens of the model calls in this stream. What the vendors do not report is absent. */
    usage: z
      .object({
        prompt_tokens: z.int(),
        completion_tokens: z.int(),
        reasoning_tokens: z.int().optional(),
        cached_tokens: z.int().optional(),
      })
      .optional(),
  }),
]);

/** An event of a run, told apart by `type`. Events of one run are numbered by `seq`. */
export type RunEvent = z.infer<typeof runEventSchema>;
type WithoutSeq<E> = E extends RunEvent ? Omit<E, 'seq'> : never;

/**
 * An event of a step that is made before its turn, as it happens: it has no `seq` yet. The event comes again, with one, when the step's turn has come.
 * `lifecycle` says how the step goes on: from `ahead` to `waiting` (for its turn), `taken` (its turn has come) or `dropped`.
 */
export type AheadEvent = WithoutSeq<RunEvent> & { readonly ahead: true };

/** What an `AheadEvent` has in common with all others. */
export const aheadEventSchema = roughSchema<AheadEvent>(
  z.looseObject({ run_id: z.string(), timestamp: z.number(), type: z.string(), ahead: z.literal(true) }),
);

export type RunEventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;
type WithoutCommon<E> = E extends RunEvent ? Omit<E, 'run_id' | 'seq' | 'timestamp'> : never;

/** An event as the engine creates it; the run adds `run_id`, `seq` and `timestamp`. */
export type EventBody = WithoutCommon<RunEvent>;
export type EventBodyOf<T extends RunEvent['type']> = Extract<EventBody, { type: T }>;
export type EndStatus = z.infer<typeof endStatusSchema>;
