import type { Json, JsonSchema } from '#shared/json.ts';
import type { Message, MessagePartOf, TokenUsage } from '#shared/runtime/message.ts';

/** A tool as it is advertised to a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Schema of the object that the model must return; only when `tools` is empty. */
  readonly output_schema?: JsonSchema;
  /** A grammar in GBNF that the answer must follow, its root rule `root`. Providers that take none refuse it. */
  readonly grammar?: string;
  /** Only what the author wrote. */
  readonly params: {
    readonly temperature?: number;
    readonly max_tokens?: number;
    readonly top_p?: number;
    readonly options?: Readonly<Record<string, Json>>;
  };
  /** The node that asks, for clients that answer by node (`script://`). */
  readonly node?: string;
  /** Where this node's last answer in this run left off: `next_turn`, else the number of its model calls. */
  readonly turn: number;
  readonly signal: AbortSignal;
  /** Time that is left for the answer, pauses between attempts included, in milliseconds. Default: no end. `signal` is aborted when it is over. */
  readonly time_left?: number;
  /** Called with text as it comes. */
  readonly onDelta?: (delta: { readonly type: 'text' | 'reasoning'; readonly text: string }) => void;
  /** Called with each tool call as it is whole. */
  readonly onCall?: (call: MessagePartOf<'tool_call'>) => void;
}

export interface ModelResponse {
  /** Role `assistant`; parts `text`, `reasoning` and `tool_call`. */
  readonly message: Message;
  readonly finish_reason: 'stop' | 'tool' | 'length';
  readonly usage: TokenUsage;
  /** Position after this answer, where it is not simply the next one (a `script://` file may skip turns). */
  readonly next_turn?: number;
}

/** One provider's client for one model. Throws `FlowError` `AgentError` with pagantic's code, and the signal's reason once that is aborted. */
export interface ModelClient {
  complete(request: ModelRequest): Promise<ModelResponse>;
}

/** Makes clients by model URL. Throws `FlowError` `AgentError` when the URL names nothing that can be had. */
export type ModelClients = (url: string) => ModelClient | Promise<ModelClient>;
