import { z } from 'zod';

/**
 * An error of the server's API as `application/problem+json` (RFC 9457). `error` is the engine's whole failure where it has one, and is also where
 * clients of other servers look for `code` and `message`.
 */
export const problemSchema = z.object({
  /** `urn:pravah:problem:CODE`, in lower case. */
  type: z.string(),
  /** What kind of problem this is; the same for all of one `type`. */
  title: z.string(),
  status: z.int(),
  /** What is wrong this time, and what to do. */
  detail: z.string(),
  /** Id of the request, which the server's log has too. */
  instance: z.string(),
  error: z.looseObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
});
export type Problem = z.infer<typeof problemSchema>;
