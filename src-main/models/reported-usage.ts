import type { TokenUsage } from '#shared/run/token-usage.ts';

/** A call's usage with what the vendor says about parts of it. `undefined` and null: the vendor does not say. */
export function reportedUsage(
  tokens_in: number,
  tokens_out: number,
  { cached, reasoning }: { readonly cached?: number | null | undefined; readonly reasoning?: number | null | undefined },
): TokenUsage {
  return {
    tokens_in,
    tokens_out,
    ...(typeof cached === 'number' && { tokens_cached: Math.min(cached, tokens_in) }),
    ...(typeof reasoning === 'number' && { tokens_reasoning: Math.min(reasoning, tokens_out) }),
  };
}
