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

/** What makes a message an entry of a kept conversation. */
export const entrySchema = z.object({
  entry_id: z.string(),
  /** `entry_id` of the first entry of the exchange: what one visit says, from its prompt to its answer. */
  exchange: z.string(),
  /** From 1, without gaps. */
  position: z.int().positive(),
  kind: z.enum(['message', 'summary']),
  run_id: z.string(),
  node: z.string(),
  /** The record that made it. */
  seq: z.int(),
  created_at: z.number(),
  /** The exchange ends with it. An exchange without such an entry is unfinished, and sent to no model. */
  ends: z.literal(true).optional(),
  /** The model URL that wrote it: a vendor's own parts go back only to this one. */
  model: z.string().optional(),
  /** Tokens of the model call that wrote it, in and out. */
  tokens: z.int().optional(),
  /** Characters of that request and its answer, where the agent estimates tokens by them. */
  characters: z.int().optional(),
  /** The application's key of the message that began the exchange. */
  key: z.string().optional(),
  /** Of the first entry of an exchange: the positions between which the visit has read, none if the second is lower. */
  reads: z.tuple([z.int(), z.int()]).optional(),
  /** Of a summary: the positions that it replaces in what models get. */
  replaces: z.tuple([z.int(), z.int()]).optional(),
});

/** One message of an agent's conversation. `vendor` contains data that a provider wants echoed (thought signatures). */
export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.array(messagePartSchema),
  /** The answer was cut off: it is stored for people and sent to no model (`cut-message.ts`). */
  incomplete: z.boolean().optional(),
  vendor: z.record(z.string(), json).optional(),
  /** Present in kept conversations (`src-shared/run/kept-conversation.ts`). */
  entry: entrySchema.optional(),
});

export type MessagePart = z.infer<typeof messagePartSchema>;
/** A message of a conversation: its role and its content. */
export type Message = z.infer<typeof messageSchema>;
export type Entry = z.infer<typeof entrySchema>;
/** A message of a kept conversation. */
export type ConversationEntry = Message & { readonly entry: Entry };
export type MessagePartOf<T extends MessagePart['type']> = Extract<MessagePart, { type: T }>;

/** Conversations of a run's agents, by node id; kept ones by `@run/KEY` and `@workspace/KEY`. Plain JSON, separate from the snapshot. */
export type History = Readonly<Record<string, readonly Message[]>>;
