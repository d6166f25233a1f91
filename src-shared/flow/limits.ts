/** Limits of a run; `seconds` counts time inside `next()` and `resume()` only. */
export interface Limits {
  readonly steps: number;
  readonly seconds: number;
  readonly model_calls: number;
  readonly tokens: number;
}

export const defaultLimits: Limits = { steps: 1000, seconds: 600, model_calls: 200, tokens: 500_000 };
