import type { Context } from '#main/runtime/context.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';

/** What a tool's call would change, shown before it is approved. */
export interface ToolPreview {
  readonly path: string;
  /** `null`: the file does not exist yet. */
  readonly before: string | null;
  readonly after: string;
  /** SHA-256 (hex) of `before`, `null` where there is no file; an approval carries it. */
  readonly before_hash: string | null;
}

/** What one call sees of the world, besides its input. */
export interface ToolContext extends Context {
  /** The run; of a flow that is called as a tool, its caller's, with the call after a slash. */
  readonly run_id: string;
  readonly node: string;
  readonly tool_call_id: string;
  /** In `resume`: what was asked, as it was given to `suspend`. */
  readonly asked?: Json;
  /**
   * A field of the input with each `{secret:NAME}` in it replaced, just before it is sent to `url`. Throws ToolError `Denied` for a secret
   * that may not go there; the result must go nowhere else, redirects included.
   */
  reveal(field: string, value: Json, url: URL): Json;
  /** Writes a line into the run's log, for people who follow it. */
  log(message: string): void;
  /** Suspends the run until somebody answers. `payloadSchema` describes the answer. Never returns. */
  suspend(value: Json, payloadSchema?: JsonSchema): never;
}

/** A tool that agents, `tool` bodies and `ctx.tools` can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** Always of type `object`; unknown fields are refused before `call`. */
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  /** What it does outside: `none` is pure, `read` looks, `write` changes something. */
  readonly effect: 'none' | 'read' | 'write';
  /** Whether an agent's call asks a person first unless the author says otherwise. */
  readonly approve: 'always' | 'never';
  /** Whether a call may ask the user by itself, by `suspend`. Default: false. */
  readonly asks?: boolean;
  /** Seconds after which a call fails with `Timeout`; its `signal` is aborted and its late result dropped. Default: no limit. */
  readonly timeout?: number;
  /**
   * Looks at one call before anybody is asked. Throws what would refuse it in any case (`PathEscape`, `Denied`, `ForbiddenCommand`);
   * returns `always` when a person must be asked about this very call, whatever the policy says, and `pinned` when the workspace's rules
   * pin the call down so far that only an agent's call asks about its arguments. Called again for edited input.
   */
  admit?(input: JsonObject, ctx: Context): Promise<'always' | 'never' | 'pinned'>;
  /** Throws `ToolError`. `input` has been validated. */
  call(input: JsonObject, ctx: ToolContext): Json | Promise<Json>;
  /** Turns the payload that answered a suspension into the call's result. Without it the payload is the result. */
  resume?(input: JsonObject, payload: Json, ctx: ToolContext): Json | Promise<Json>;
  /**
   * What the call would change, null where this call changes no file. An approval carries `before_hash`; when it is another one by the
   * time of the answer, the difference is shown anew.
   */
  preview?(input: JsonObject, ctx: Context): Promise<ToolPreview | null>;
}
