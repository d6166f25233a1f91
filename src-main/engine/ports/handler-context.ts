import type { Json } from '#shared/json.ts';

/** What a handler gets as its last argument: the same in the sandbox and in code-first flows, save `signal` and `services`. */
export interface HandlerContext {
  readonly node: string;
  /** Milliseconds since 1970; the same all through a step. */
  now(): number;
  /** A number in [0, 1), from a seed that is on record. */
  random(): number;
  /** Writes a line to the run's log: at most 1,000 a step. */
  log(...values: readonly unknown[]): void;
  /** The tools that the node names, by name. Each call throws `ToolError` when it fails. */
  readonly tools: Readonly<Record<string, (input?: Json) => Promise<Json>>>;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** What the host handed in, by key. */
  readonly services: Readonly<Record<string, unknown>>;
  /** Always throws `HandlerError`: a handler cannot wait for a person. It says what can. */
  suspend(value?: unknown): never;
}
