import type { Clock, CommandRule } from '#main/engine/ports/context.ts';
import type { ConversationStore } from '#main/engine/ports/conversation-store.ts';
import type { ModelClient } from '#main/engine/ports/model-client.ts';
import type { Telemetry } from '#main/engine/ports/telemetry.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { PassedKeys } from '#main/models/endpoint.ts';
import type { ProviderLimits } from '#main/models/retry.ts';
import type { WrittenSettings } from '#main/workspace/settings.ts';
import type { BuiltInToolName } from '#shared/flow/tools/built-in-tools.ts';
import type { Json } from '#shared/json.ts';
import type { AheadEvent, RunEvent, Suspension } from '#shared/run/event.ts';

/** The capabilities of a run. By default nothing is allowed. */
export interface ContextOptions {
  /** The folder for built-in tools and for relative `script://` and `llama://` paths. It allows nothing by itself. */
  readonly working_dir?: string;
  /** Built-in tools that the run may call. Default: none. Tools for files and commands need a `working_dir`. */
  readonly builtin?: readonly BuiltInToolName[];
  /** The program's tools. A flow uses `crm` with `defineFlow({ tools: ['crm'] })`, or as in a workspace: `./tools/crm.ts`. */
  readonly tools?: readonly Tool[];
  /** Approval policy by tool. `never` overrides the default of `callAgent`, where tools that write need approval, and the tool's own default in flows. */
  readonly approve?: Readonly<Record<string, 'always' | 'never'>>;
  /** Commands that `run_command` may run: names, or names with patterns for their arguments. */
  readonly commands?: readonly CommandRule[];
  /** Protected paths (globs) that tools may write with approval each time. */
  readonly writable?: readonly string[];
  /** Public hosts that tools may reach, and `ollama://` servers on other machines. The flow's models are always allowed. */
  readonly allow_hosts?: readonly string[];
  /** Private addresses that tools may reach: `host`, `host:port` or CIDR. */
  readonly allow_private?: readonly string[];
  /**
   * Whether the folder's own code and model files may be loaded (`module` bodies, `llama://`), and Ollama servers on other machines may be used.
   * Default: false. The program's own flows, tools and approvals need no trust.
   */
  readonly trusted?: boolean;
  /** `true`: use the folder's `pravah.json` (its `approve: never` and `endpoints` only if trusted). Or the program's own settings. Default: none. */
  readonly settings?: true | ProgramSettings;
  /**
   * Keys of models: by provider (`openai`, `anthropic`, `gemini`, a `genai://` service), or a function of the endpoint. They take precedence.
   * Keys by provider are never sent to an address that the folder chose; a function decides for itself.
   */
  readonly keys?: Readonly<Record<string, string>> | PassedKeys;
  /** By provider (`openai`, `ollama`, a `genai://` service): how often a failed call is made, and how often the provider may be called. */
  readonly providers?: Readonly<Record<string, ProviderLimits>>;
  /** Variables with keys and endpoints of models. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether to read the folder's `.env`, for models and for the secrets in the settings. Default: false. */
  readonly env_file?: boolean;
  /** Whether models may use the user's stored keys (`pravah key set`), services and model files. Default: false. */
  readonly stored_keys?: boolean;
  /** Model files (GGUF) that `llama://` may load, in addition to those of a trusted folder. */
  readonly model_files?: readonly string[];
  /** The program's model clients, tried first. If the function returns nothing for a URL, the clients of this package are used. */
  readonly models?: (url: string) => ModelClient | undefined | Promise<ModelClient | undefined>;
  /** Where agents keep conversations of the scope `workspace` in runs without a journal. Default: in memory, as long as the context. */
  readonly conversations?: ConversationStore;
  /** GBNF grammars by name: an agent uses one as `grammar: '@NAME'`. Others are read from `resources/grammars/NAME.gbnf` of the working folder. */
  readonly grammars?: Readonly<Record<string, string>>;
  /** Secrets by name, for tools as `{secret:NAME}`. Their values never enter a state, an event or a log. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Values for handlers (`ctx.services`), by key. */
  readonly services?: Readonly<Record<string, unknown>>;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Ids for runs, calls and spans. Default: random UUIDs. */
  readonly newId?: () => string;
  /** Callback for events; without it no events are created. Its errors do not affect the run. */
  readonly onEvent?: (event: RunEvent) => unknown;
  /**
   * `wait`: the run waits until the promises that `onEvent` has returned are settled, between transitions and between the chunks of a model's answer.
   * Default: it never waits.
   */
  readonly overflow?: 'wait';
  /**
   * Callback for the events of steps that are made before their turn, as they happen, so that several agents at work can be shown at once. They have
   * `ahead: true` and no `seq`, and come to `onEvent` again when their turn has come.
   */
  readonly onAhead?: (event: AheadEvent) => void;
  /** Callback for errors of `onEvent`. Default: an uncaught error. */
  readonly onListenerError?: (error: unknown, event: RunEvent) => void;
  /** Traces and metrics of the runs: `telemetry()` of `pravah/otel`. */
  readonly telemetry?: Telemetry;
  /** Answers tools that ask in `callAgent`: approvals, `ask_user`. */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
}

/** A program's settings, as in `pravah.json`. */
export type ProgramSettings = Omit<WrittenSettings, '$schema' | 'mcp_servers' | 'timezone'>;
