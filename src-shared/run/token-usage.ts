/** Tokens of one call or of a whole run. */
export interface TokenUsage {
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** How many of `tokens_in` the provider read from its cache. Absent where it reports none. */
  readonly tokens_cached?: number;
  /** How many of `tokens_out` the model spent on reasoning. Absent where it reports none. */
  readonly tokens_reasoning?: number;
}

/** The sum of two usages. What neither reports stays absent. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = (key: 'tokens_cached' | 'tokens_reasoning') =>
    one[key] === undefined && other[key] === undefined ? {} : { [key]: (one[key] ?? 0) + (other[key] ?? 0) };
  return {
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    ...sum('tokens_cached'),
    ...sum('tokens_reasoning'),
  };
}
