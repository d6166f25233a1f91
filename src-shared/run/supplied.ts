import { z } from 'zod';

/** A record of a run. */
export const recordPlaceSchema = z.object({ run_id: z.string(), seq: z.int().nonnegative() });
export type RecordPlace = z.infer<typeof recordPlaceSchema>;

/**
 * Says that an output or the outcome of a call was put in place of the real one: by a pin or by a mock, with its id. `from` is the record that a pin's value was
 * taken from.
 */
export const suppliedMarkSchema = z.object({ by: z.enum(['pin', 'mock']), id: z.string(), from: recordPlaceSchema.optional() });
export type SuppliedMark = z.infer<typeof suppliedMarkSchema>;
