/** Limits of a run; `seconds` counts time inside `next()` and `resume()` only. */
export interface Limits {
  readonly steps: number;
  readonly seconds: number;
  readonly model_calls: number;
  readonly tokens: number;
  /** In the currency of the workspace's prices. Default: no limit. */
  readonly cost?: number;
}

export const defaultLimits: Limits = { steps: 1000, seconds: 600, model_calls: 200, tokens: 500_000 };
