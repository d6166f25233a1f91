import { z } from 'zod';
import type { Json } from '#shared/json.ts';

const json = z.json() as z.ZodType<Json>;

/** Parts of a message's content. Users may send only text and images. */
export const messagePartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  /** `data` is base64. */
  z.object({ type: z.literal('image'), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal('tool_call'), tool_call_id: z.string(), tool: z.string(), input: json }),
  z.object({
    type: z.literal('tool_result'),
    tool_call_id: z.string(),
    tool: z.string(),
    result: json,
    is_error: z.boolean(),
    /** JSON Pointers of the whole numbers in `result` that are floats: models see `1.0`. */
    floats: z.array(z.string()).optional(),
    /** The input that the call ran with, if it differs from the model's. */
    ran_with: json.optional(),
    /** Who changed the input. Present together with `ran_with`. */
    edited_by: z.literal('person').optional(),
  }),
]);

/** One message of an agent's conversation. `vendor` contains data that a provider wants echoed (thought signatures). */
export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.array(messagePartSchema),
  /** The answer was cut off: it is stored for people and sent to no model (`cut-message.ts`). */
  incomplete: z.boolean().optional(),
  vendor: z.record(z.string(), json).optional(),
});

export type MessagePart = z.infer<typeof messagePartSchema>;
export type Message = z.infer<typeof messageSchema>;
export type MessagePartOf<T extends MessagePart['type']> = Extract<MessagePart, { type: T }>;

/** Conversations of a run's agents, by node id. Plain JSON, separate from the snapshot. */
export type History = Readonly<Record<string, readonly Message[]>>;

/** Tokens of one call or of a whole run. */
export interface TokenUsage {
  readonly tokens_in: number;
  readonly tokens_out: number;
}
