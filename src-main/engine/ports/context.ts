import type { Json } from '#shared/json.ts';
import type { AheadEvent, RunEvent, Suspension } from '#shared/run/event.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import type { BodyWatch } from './body-watch.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { Gate } from './gate.ts';
import type { ModelClients } from './model-client.ts';
import type { FileChange } from './recorder.ts';
import type { Supply } from './supply.ts';
import type { Telemetry } from './telemetry.ts';
import type { Tool } from './tool.ts';

/** A command that tools may run: any use of a program, or one whose arguments match one by one (`*` is one that does not begin with `-`). */
export type CommandRule = string | { readonly name: string; readonly args: readonly string[] };

/** Time of day in milliseconds since 1970 (UTC). */
export interface Clock {
  now(): number;
  /** For how long the run was held in this process, in milliseconds: no part of any duration. Absent where nothing holds it. */
  held?(): number;
}

/** What a run may touch of the world. Built by `createContext`; handed to `next` and `resume`. */
export interface Context {
  /** Real path of the folder in which tools work. */
  readonly working_dir: string;
  readonly commands: readonly CommandRule[];
  /** Paths (globs, relative to `working_dir`) that are protected but may be written after asking. */
  readonly writable: readonly string[];
  /** Hosts that may be reached, besides the flow's models. `*` is any public host. */
  readonly allow_hosts: readonly string[];
  /** Private addresses that `pravah.json` allows: `host`, `host:port` or CIDR. */
  readonly allow_private: readonly string[];
  /** Per tool: the workspace's approval policy. */
  readonly approve: Readonly<Record<string, 'always' | 'never'>>;
  /** Real paths, besides the fixed ones, that no tool may write: files that bodies and tools are loaded from. */
  readonly protected_files: ReadonlySet<string>;
  readonly trusted: boolean;
  /**
   * True where a program runs flows of its own: what it and they say about approval counts whether or not it trusts the folder, and errors name the
   * option that helps.
   */
  readonly from_program?: boolean;
  /** Known secrets, by name. Never a state, an event or a log line. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Where secrets may be sent (see `mayGoTo`), by name. One without an entry is known only so that it can be masked. */
  readonly secret_hosts?: ReadonlyMap<string, readonly string[]>;
  /** Addresses that the workspace puts in the place of a tool's own service, by tool. */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** The tools that a flow and an agent may name, by name. Each is listed once. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Aliases: names under which tools are found but not listed, with the tool's own name. */
  readonly tool_aliases?: ReadonlyMap<string, string>;
  readonly models: ModelClients;
  readonly signal: AbortSignal;
  /** True once the run is to stop. Unlike `signal` it can change while this thread computes: it reads memory shared with another. */
  readonly stopRequested?: () => boolean;
  /** Set where another thread watches this one and ends it when a body's time is up. Without it, bodies are limited as `sandbox.ts` describes. */
  readonly bodies?: BodyWatch;
  readonly clock: Clock;
  /** Time zone (IANA name) of the sessions of imported workflows. Default: the machine's. */
  readonly timezone?: string;
  /** Ids for runs, calls and spans (UUID v7 in production). */
  readonly newId: () => string;
  /** Receives events as they happen. Events are built only if there is a listener or a recorder keeps them. An error that it throws never fails a step. */
  readonly onEvent?: ((event: RunEvent) => unknown) | undefined;
  /** Receives the events of steps that are made before their turn, as they happen. `onEvent` receives them, too, when their turn has come. */
  readonly onAhead?: (event: AheadEvent) => void;
  /** Receives what `onEvent` throws or rejects with. Default: an uncaught error of its own. */
  readonly onListenerError?: (error: unknown, event: RunEvent) => void;
  /**
   * Asked before each transition and between the chunks of a model's answer: the run waits for what it returns. Undefined while the readers of the events
   * have room for more.
   */
  readonly ready?: () => Promise<void> | undefined;
  /** Answers tools that ask a person, where a call drives the run to its end by itself. */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
  /** Conversations of the scope `workspace`, for runs that no journal records. */
  readonly conversations?: ConversationStore;
  /** GBNF grammars by name, for agents whose `output.grammar` is `@NAME`. */
  readonly grammars?: (name: string) => Promise<string | undefined>;
  /** What models cost, by URL: asked only where a limit counts it. */
  readonly prices?: () => Prices | Promise<Prices>;
  /** Supplies outputs of nodes and results of calls. Absent where there are no pins and mocks. */
  readonly supply?: Supply;
  /** Receives the operations of runs, for traces and metrics. A replay has none. */
  readonly telemetry?: Telemetry;
  /** Asked at each `GatePoint`. Absent where no debugger can hold the run. */
  readonly gate?: Gate;
  /** Called by tools with what a file holds just before they replace it; what it throws leaves the file as it is. */
  readonly keepFile?: (change: FileChange) => void;
  /** Values that a host hands to code-first handlers and tools, by key. */
  readonly services: Readonly<Record<string, unknown>>;
}
