import { z } from 'zod';

/** What a model costs, in the currency that the user thinks in, per million tokens. */
export const modelPriceSchema = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Of input that the provider reads from its cache. Default: as `input`. */
  cached_input: z.number().nonnegative().optional(),
  currency: z.string().optional(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;
