import { z } from 'zod';
import type { Json, JsonSchema } from '#shared/json.ts';
import { conversationFaults } from './conversation-rules.ts';
import type { TransferableError } from './error.ts';
import type { ValidationResult } from './event.ts';
import { type Message, messageSchema } from './message.ts';
import type { PromptUsage, TokenUsage } from './token-usage.ts';

const json = z.json() as z.ZodType<Json>;

/** A single agent's request (pagantic's `SystemRequest`, in snake_case; times in seconds). */
export const systemRequestSchema = z.strictObject({
  /** Correlation id; generated if missing. Repeated in the response and in every event. */
  request_id: z.string().min(1).optional(),
  /** Stable across the requests of one conversation; included in every event. */
  session_id: z.string().min(1).optional(),
  /** Root of a distributed trace; included in every event. */
  trace_id: z.string().min(1).optional(),
  /** The conversation so far, valid by `conversationFaults`: users send text and images. */
  messages: z
    .array(messageSchema)
    .min(1)
    .superRefine((messages, context) => {
      for (const { path, message } of conversationFaults(messages)) context.addIssue({ code: 'custom', path, message });
    }),
  mode: z.enum(['chat', 'structured', 'plan', 'redundant']),
  hints: z
    .strictObject({
      max_tokens: z.int().positive().optional(),
      timeout_seconds: z.number().positive().optional(),
      temperature: z.number().min(0).optional(),
      top_p: z.number().min(0).max(1).optional(),
      /** Provider-specific parameters. */
      options: z.record(z.string(), json).optional(),
    })
    .optional(),
  output: z
    .strictObject({
      schema: z.union([z.boolean(), z.record(z.string(), json)]).optional(),
      /** GBNF. */
      grammar: z.string().min(1).optional(),
      repair_allowed: z.boolean().optional(),
      /** Default true: an error has no output. False: the last answer accompanies the error, although it does not match its schema. */
      strict_validation: z.boolean().optional(),
    })
    .optional(),
  /** Names of the tools that the agent may call. Missing: none. Empty: all tools of the context. */
  tools: z.array(z.string().min(1)).optional(),
});
/** A request to a single agent: mode, messages, output contract, hints and tools. */
export type SystemRequest = z.infer<typeof systemRequestSchema>;

/** Response to a `SystemRequest` (pagantic's `SystemResponse`). Fields that the mode does not use are null. */
export interface SystemResponse {
  readonly request_id: string;
  readonly session_id: string | null;
  readonly trace_id: string | null;
  /** The answer as text; of one that was cut off, what had been said. */
  readonly content: string;
  /** The answer by its schema. */
  readonly structured_output: Json | null;
  /** Tool calls in order, without `submit`. */
  readonly tool_calls_made: readonly ToolCallMade[];
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** `voting` and `validation` in mode redundant; `retrieval`: the last tool result that says a `confidence`. */
  readonly confidence_source: 'voting' | 'validation' | 'retrieval' | null;
  readonly token_usage: TokenUsage;
  readonly usage: PromptUsage;
  /** How the output was validated. */
  readonly validation: ValidationResult | null;
  /** The steps of a plan, in its order; null in the other modes, and where there is no plan. */
  readonly steps: readonly PlanStepMade[] | null;
  /** The conversation so far: what the request said, and each whole turn since. A next request continues it by adding a message. */
  readonly messages: readonly Message[];
  readonly error: TransferableError | null;
}

/** A step of a plan. */
export interface PlanStepMade {
  readonly name: string;
  readonly type: string;
  /** Null if the step has no result. */
  readonly output: Json | null;
  readonly error: TransferableError | null;
  /** Calls that the model asked for, without `submit`. */
  readonly tool_calls: number;
  readonly tokens: number;
  readonly seconds: number;
}

/** Where a request is: pagantic's `ExecutionState`. */
export interface ExecutionState {
  readonly current: 'INIT' | 'PLAN' | 'PREPARE' | 'EXECUTE' | 'VALIDATE' | 'COMPLETE';
  /** When it came into this state, in milliseconds since 1970. */
  readonly entered_at: number;
  /** From 1. */
  readonly attempt: number;
  /** Steps of the plan; null without one. */
  readonly total_steps: number | null;
  /** The last step of the plan that has a result. */
  readonly last_step: string | null;
  /** The last failure, a replica's too. */
  readonly last_error: TransferableError | null;
}

/** What a request works with: pagantic's `ExecutionContext`. */
export interface ExecutionContext {
  readonly mode: SystemRequest['mode'];
  /** In milliseconds since 1970. */
  readonly started_at: number;
  /** Names of the tools that the model may call. */
  readonly selected_tools: readonly string[];
  /** Mode redundant: the replicas' answers so far. */
  readonly candidates: readonly Json[];
  readonly metadata: { readonly model: string };
}

/** A call that the model asked for. */
export interface ToolCallMade {
  readonly tool_call_id: string;
  readonly tool: string;
  /** What the model called it with. */
  readonly input: Json;
  /** The input that ran; null if the call did not run: it was rejected, or the request ended first. */
  readonly ran_with: Json;
  /** A person changed the input before it ran. */
  readonly edited: boolean;
  /** The result that the model got; null if there is none yet. */
  readonly result: Json;
  readonly is_error: boolean;
  /** Milliseconds; null if there is no result yet. */
  readonly duration_ms: number | null;
  readonly error_code?: string;
}

/** The schema of a request's output; a chat without one returns its text. */
export function outputSchemaOf({ mode, output }: SystemRequest): JsonSchema | null {
  if (output?.schema !== undefined) return output.schema as JsonSchema;
  return mode === 'structured' ? null : { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
}
