import { z } from 'zod';
import { json, procedure } from './common.ts';

/** What a person has typed as the answer to one question and not sent yet. */
export const answerDraftSchema = z.object({
  /** What the card shows: the question, its form for editing, or the form for a refusal. */
  mode: z.enum(['view', 'edit', 'refuse']),
  /** The answer, or the edited input; absent while it was not changed. */
  value: json.optional(),
  /** JSON that cannot be parsed yet, as it was typed. */
  text: z.string().optional(),
  /** Why the call is refused. */
  reason: z.string(),
});
export type AnswerDraft = z.infer<typeof answerDraftSchema>;

/** Whether nothing was typed. */
export function isBlankAnswer({ value, text, reason }: AnswerDraft): boolean {
  return value === undefined && text === undefined && reason === '';
}

/** A draft on disk. Each save takes the next `revision`, from 1; `saved_at` is in milliseconds since 1970. */
export const storedAnswerDraftSchema = answerDraftSchema.extend({ revision: z.int().positive(), saved_at: z.number() });
export type StoredAnswerDraft = z.infer<typeof storedAnswerDraftSchema>;

const question = z.object({ run_id: z.string(), tool_call_id: z.string() });

/** Drafts of answers: part of the `runs` contract. A question that was answered, here or elsewhere, has none. */
export const answerDraftsContract = {
  readAnswerDraft: procedure.input(question).output(storedAnswerDraftSchema.nullable()),
  /**
   * Stores a draft in place of revision `based_on` (0: none); a blank one removes it and answers with revision 0. `conflict`: another window has stored `draft` meanwhile, and nothing was written.
   * `settled`: the question no longer waits.
   */
  saveAnswerDraft: procedure
    .input(question.extend({ draft: answerDraftSchema, based_on: z.int().nonnegative() }))
    .output(
      z.discriminatedUnion('status', [
        z.object({ status: z.literal('saved'), revision: z.int() }),
        z.object({ status: z.literal('conflict'), draft: storedAnswerDraftSchema }),
        z.object({ status: z.literal('settled') }),
      ]),
    ),
};
