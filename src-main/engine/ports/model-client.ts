import type { Json, JsonSchema } from '#shared/json.ts';
import type { Message, MessagePartOf } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

/** A tool as described to a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** One request to a model: its messages, tools, output contract and limits. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** `none`: the tools are there for the calls in the messages only. `required`: the model has to call one. Default: it decides. */
  readonly tool_choice?: 'none' | 'required';
  /** Schema of the object that the model must return; only when `tools` is empty. */
  readonly output_schema?: JsonSchema;
  /** GBNF grammar of the answer, with the root rule `root`. Providers without grammar support throw. */
  readonly grammar?: string;
  /** Only parameters that the author set. */
  readonly params: {
    readonly temperature?: number;
    readonly max_tokens?: number;
    readonly top_p?: number;
    readonly top_k?: number;
    readonly options?: Readonly<Record<string, Json>>;
  };
  /** The calling node, for clients that answer by node (`script://`). */
  readonly node?: string;
  /** Position after this node's last answer in this run: `next_turn`, or the number of its model calls. */
  readonly turn: number;
  readonly signal: AbortSignal;
  /** Time left for the answer in milliseconds, including pauses between attempts. Default: no limit. `signal` is aborted afterwards. */
  readonly time_left?: number;
  /** Called with each chunk of text. */
  readonly onDelta?: (delta: { readonly type: 'text' | 'reasoning'; readonly text: string }) => void;
  /**
   * Resolves once the readers of the text have room for more; undefined if they have room now. A client that streams waits for it between chunks, so that
   * a slow reader slows the model down. Never rejects.
   */
  readonly room?: () => Promise<void> | undefined;
  /** Called when the call waits for its provider's rate, and before it is tried again. Times in milliseconds. */
  readonly onPause?: (
    pause:
      | { readonly type: 'wait'; readonly reason: 'requests' | 'tokens' | 'concurrent'; readonly ms: number }
      | { readonly type: 'retry'; readonly attempt: number; readonly code: string; readonly ms: number },
  ) => void;
  /** Called with each complete tool call. */
  readonly onCall?: (call: MessagePartOf<'tool_call'>) => void;
}

/** What a model answered: its content, why it stopped, and the tokens that it used. */
export interface ModelResponse {
  /** Role `assistant`; parts `text`, `reasoning` and `tool_call`. */
  readonly message: Message;
  readonly finish_reason: 'stop' | 'tool' | 'length';
  readonly usage: TokenUsage;
  /** What the call cost, where a limit counts it. Set by the agent, not by clients. */
  readonly cost?: number;
  /** Position after this answer, if it is not simply the next one (a `script://` file may skip turns). */
  readonly next_turn?: number;
}

/** A provider's client for a model. Throws `FlowError` `AgentError` with pagantic's code, or the signal's reason once it is aborted. */
export interface ModelClient {
  complete(request: ModelRequest): Promise<ModelResponse>;
  /** Tokens of a request as the provider counts them, without an answer. Absent where it cannot count. Throws as `complete` does. */
  countTokens?(request: ModelRequest): Promise<number>;
}

/** Creates clients by model URL. Throws `FlowError` `AgentError` if the model is not available. */
export type ModelClients = (url: string) => ModelClient | Promise<ModelClient>;
