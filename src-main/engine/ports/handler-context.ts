import type { Json, JsonSchema } from '#shared/json.ts';

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

/** What a handler with `asks: true` gets: it can wait, and do things outside that are recorded one by one. */
export interface AskingHandlerContext extends Omit<HandlerContext, 'suspend'> {
  /** Suspends the run until a person or a program answers, and returns the answer. `schema` describes it. */
  suspend(value?: Json, schema?: JsonSchema): Promise<Json>;
  /** Does something outside once: its JSON result is recorded before it is returned, and returned again when the handler runs again. */
  effect(name: string, perform: () => unknown): Promise<Json>;
}
