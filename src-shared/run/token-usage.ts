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

/** Tokens by pagantic's names. What the vendor does not report is absent, not 0. */
export interface PromptUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly reasoning_tokens?: number;
  readonly cached_tokens?: number;
}

export function promptUsage({ tokens_in, tokens_out, tokens_cached, tokens_reasoning }: TokenUsage): PromptUsage {
  return {
    prompt_tokens: tokens_in,
    completion_tokens: tokens_out,
    ...(tokens_cached !== undefined && { cached_tokens: tokens_cached }),
    ...(tokens_reasoning !== undefined && { reasoning_tokens: tokens_reasoning }),
  };
}

/** Adds up the model calls of a stream of events. */
export class UsageCounter {
  #usage: TokenUsage = { tokens_in: 0, tokens_out: 0 };

  take(event: { readonly type: string } & Partial<TokenUsage>): void {
    if (event.type !== 'inference_end') return;
    const { tokens_in = 0, tokens_out = 0, tokens_cached, tokens_reasoning } = event;
    const known = { ...(tokens_cached !== undefined && { tokens_cached }), ...(tokens_reasoning !== undefined && { tokens_reasoning }) };
    this.#usage = addUsage(this.#usage, { tokens_in, tokens_out, ...known });
  }

  get usage(): TokenUsage {
    return this.#usage;
  }
}
