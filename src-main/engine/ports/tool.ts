import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import type { Context } from './context.ts';

/** What a tool call would change, shown before it is approved. */
export interface ToolPreview {
  readonly path: string;
  /** `null`: the file does not exist yet. */
  readonly before: string | null;
  readonly after: string;
  /** SHA-256 (hex) of `before`, `null` if there is no file; included in an approval. */
  readonly before_hash: string | null;
}

/** The context of a tool call. */
export interface ToolContext extends Context {
  /** The run. For a flow called as a tool: the caller's run, a slash and the call. */
  readonly run_id: string;
  readonly node: string;
  readonly tool_call_id: string;
  /** In `resume`: the value passed to `suspend`. */
  readonly asked?: Json;
  /**
   * Returns a field of the input with each `{secret:NAME}` replaced, just before it is sent to `url`. Throws ToolError `Denied` for a secret
   * that may not be sent there. The result must not be sent anywhere else, including redirects.
   */
  reveal(field: string, value: Json, url: URL): Json;
  /** Writes a line to the run's log. */
  log(message: string): void;
  /** Suspends the run until the user answers. `payloadSchema` describes the answer. Never returns. */
  suspend(value: Json, payloadSchema?: JsonSchema): never;
}

/** A tool that agents, `tool` bodies and `ctx.tools` can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Always of type `object`; unknown fields are rejected before `call`. */
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  /** Side effects: `none` (pure), `read`, or `write`. */
  readonly effect: 'none' | 'read' | 'write';
  /** Whether a call that is made twice does no more than one. Such a call is repeated if its outcome is unknown. Default: false; tools that only read always are. */
  readonly idempotent?: boolean;
  /** Whether an agent's call needs the user's approval, unless the author sets otherwise. */
  readonly approve: 'always' | 'never';
  /** Whether results contain text that other people wrote, which may try to instruct a model. Default: known by the tool's name. */
  readonly untrusted?: boolean;
  /** Whether a call may ask the user through `suspend`. Default: false. */
  readonly asks?: boolean;
  /** Seconds after which a call fails with `Timeout`: its `signal` is aborted and a late result is dropped. Default: no limit. */
  readonly timeout?: number;
  /**
   * Checks a call before the user is asked. Throws if the call can never be allowed (`PathEscape`, `Denied`, `ForbiddenCommand`). Returns
   * `always` if this call needs approval whatever the policy says, and `pinned` if the workspace's rules fix the call so far that only an
   * agent's call needs approval of its arguments. Called again for edited input.
   */
  admit?(input: JsonObject, ctx: Context): Promise<'always' | 'never' | 'pinned'>;
  /** Throws `ToolError`. `input` has been validated. */
  call(input: JsonObject, ctx: ToolContext): Json | Promise<Json>;
  /** Converts the answer to a suspension into the call's result. Default: the answer is the result. */
  resume?(input: JsonObject, payload: Json, ctx: ToolContext): Json | Promise<Json>;
  /**
   * Returns what the call would change, or null if it changes no file. An approval includes `before_hash`; if the file has changed by the
   * time of the answer, the new difference is shown.
   */
  preview?(input: JsonObject, ctx: Context): Promise<ToolPreview | null>;
}
