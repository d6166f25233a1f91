import { z } from 'zod';
import { entrySchema, messageSchema } from '#shared/run/message.ts';
import { procedure } from './common.ts';

/** A conversation that agents of the folder keep, or a fork's branch of one. */
export const keptConversationSchema = z.object({
  /** Names it in calls: the key, or a branch's whole id. */
  name: z.string(),
  key: z.string(),
  /** Number of its entries; of a branch, of its own. */
  entries: z.int(),
  tokens: z.int(),
  created_at: z.number(),
  updated_at: z.number(),
  /** The beginning of its last message; empty if it has none. */
  last: z.string(),
  /** The visit that is in the middle of it; null if none is. */
  held_by: z.object({ run_id: z.string(), node: z.string(), since: z.number(), waits_for: z.string().optional() }).nullable(),
  /** Of a branch: the position at which it leaves the conversation, and the fork that writes it. */
  branch: z.object({ at: z.int(), run_id: z.string() }).nullable(),
});
export type KeptConversation = z.infer<typeof keptConversationSchema>;

const named = z.object({ name: z.string().min(1) });

/** Conversations of the open folder: what its agents remember between runs. */
export const conversationsContract = {
  /** The most recently used first, without their branches. */
  list: procedure.output(z.array(keptConversationSchema)),
  /** Branches of a conversation with entries of their own. */
  branches: procedure.input(named).output(z.array(keptConversationSchema)),
  /** The last `limit` entries; of a branch, with those that it shares. */
  entries: procedure
    .input(named.extend({ limit: z.int().positive().max(10_000).default(1000) }))
    .output(z.array(messageSchema.extend({ entry: entrySchema }))),
  /** Takes the conversation away from the run that holds it. */
  release: procedure.input(named).output(z.object({})),
  /** Empties it. Runs keep what they have read. Refused with `Conflict` while it is held. */
  drop: procedure.input(named).output(z.object({})),
  /** Ids of the runs that `erase` removes. */
  runs: procedure.input(named).output(z.array(z.string())),
  /** Removes the conversation, its branches and the runs that took part. Refused with `Conflict` while it is held. */
  erase: procedure.input(named).output(z.object({})),
  /** The text of one file, masked as `pravah.json` says. */
  exportText: procedure.input(named).output(z.object({ file_name: z.string(), content: z.string() })),
  /** Makes a branch the conversation. Refused with `Conflict` if the conversation has moved on since the fork. */
  adopt: procedure.input(named).output(z.object({})),
};
