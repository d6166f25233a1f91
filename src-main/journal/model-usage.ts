import { isJsonObject, type Json } from '#shared/json.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

/** Returns the usage in a model call's outcome, if any: a failed call has none. */
export function usageOf(outcome: Json): TokenUsage | null {
  const result = isJsonObject(outcome) ? outcome.result : undefined;
  const usage = isJsonObject(result) ? result.usage : undefined;
  if (!isJsonObject(usage) || typeof usage.tokens_in !== 'number' || typeof usage.tokens_out !== 'number') return null;
  const { tokens_in, tokens_out, tokens_cached } = usage;
  return { tokens_in, tokens_out, ...(typeof tokens_cached === 'number' && { tokens_cached }) };
}
