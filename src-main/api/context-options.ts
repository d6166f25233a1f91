import type { HandedInKeys } from '#main/models/endpoint.ts';
import type { ModelClient } from '#main/models/model-client.ts';
import type { Clock, CommandRule } from '#main/runtime/context.ts';
import type { Tool } from '#main/tools/tool.ts';
import type { BuiltInToolName } from '#main/tools/tool-names.ts';
import type { WrittenSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent, Suspension } from '#shared/runtime/event.ts';

/** What a run may touch of the world. Everything has a default that allows nothing. */
export interface ContextOptions {
  /** The folder in which built-in tools work and from which `script://` and `llama://` paths start. It allows nothing by itself. */
  readonly working_dir?: string;
  /** Built-in tools that the run may call. Default: none. Those that work with files or commands need a `working_dir`. */
  readonly builtin?: readonly BuiltInToolName[];
  /** Tools of the program. A flow names `crm` in `defineFlow({ tools: ['crm'] })`, or as a workspace does: `./tools/crm.ts`. */
  readonly tools?: readonly Tool[];
  /** By tool: whether its calls ask first. `never` holds for `callAgent`, where tools that write ask by default, and for the tool's own default in flows. */
  readonly approve?: Readonly<Record<string, 'always' | 'never'>>;
  /** Commands that `run_command` may run: names, or names with patterns for their arguments. */
  readonly commands?: readonly CommandRule[];
  /** Protected paths (globs) that tools may write after asking, each time. */
  readonly writable?: readonly string[];
  /** Public hosts that tools may reach, besides the flow's models; `ollama://` servers on other machines. */
  readonly allow_hosts?: readonly string[];
  /** Private addresses that tools may reach: `host`, `host:port` or CIDR. */
  readonly allow_private?: readonly string[];
  /**
   * Whether the folder's own code and model files may be loaded (`module` bodies, `llama://`), and Ollama be asked on other machines. Default: false. Flows, tools and approvals of the
   * program are its own and need no trust.
   */
  readonly trusted?: boolean;
  /** `true`: the folder's `pravah.json` (its `approve: never` and `endpoints` only if trusted). Or settings of the program's own. Default: none. */
  readonly settings?: true | ProgramSettings;
  /**
   * Keys of models: by provider (`openai`, `anthropic`, `gemini`, a service of `genai://`), or a function of the endpoint. They count before all others.
   * Keys by provider never go to an address that the folder chose; a function decides for itself.
   */
  readonly keys?: Readonly<Record<string, string>> | HandedInKeys;
  /** Variables in which keys and endpoints of models are looked up. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the folder's `.env` is read: for models, and for the secrets that the settings name. Default: false. */
  readonly env_file?: boolean;
  /** Whether models may use what this user has stored: keys (`pravah key set`), services and model files. Default: false. */
  readonly stored_keys?: boolean;
  /** Model files (GGUF) that `llama://` may load, besides those of a trusted folder. */
  readonly model_files?: readonly string[];
  /** Model clients of the program, asked first; for a URL for which it gives nothing the ones of this package are used. */
  readonly models?: (url: string) => ModelClient | undefined | Promise<ModelClient | undefined>;
  /** Values that never enter a state, an event or a log, by the name under which tools get them as `{secret:NAME}`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Values for handlers (`ctx.services`), by key. */
  readonly services?: Readonly<Record<string, unknown>>;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Ids for runs, calls and spans. Default: random UUIDs. */
  readonly newId?: () => string;
  /** Receives events as they happen; without it none is built. What it throws changes nothing about the run. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Receives what `onEvent` throws or rejects with. Default: an uncaught error of its own. */
  readonly onListenerError?: (error: unknown, event: RunEvent) => void;
  /** Answers tools that ask in `callAgent`: approvals, `ask_user`. */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
}

/** Settings as in `pravah.json`, of a program. */
export type ProgramSettings = Omit<WrittenSettings, '$schema' | 'mcp_servers' | 'timezone'>;
