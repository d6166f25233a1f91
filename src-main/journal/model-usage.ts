import { isJsonObject, type Json } from '#shared/json.ts';

/** Returns the usage in a model call's outcome, if any: a failed call has none. */
export function usageOf(outcome: Json): { tokens_in: number; tokens_out: number } | null {
  const result = isJsonObject(outcome) ? outcome.result : undefined;
  const usage = isJsonObject(result) ? result.usage : undefined;
  if (!isJsonObject(usage) || typeof usage.tokens_in !== 'number' || typeof usage.tokens_out !== 'number') return null;
  return { tokens_in: usage.tokens_in, tokens_out: usage.tokens_out };
}
