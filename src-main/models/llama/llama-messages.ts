import type { Json, JsonObject } from '#shared/json.ts';

/** A turn of the conversation in the format of `node-llama-cpp`'s chat history. */
export type LlamaTurn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly (string | LlamaCall)[] };

/** An earlier function call of the model with its result. */
export interface LlamaCall {
  readonly type: 'functionCall';
  readonly name: string;
  readonly params: Json;
  readonly result: Json;
}

/** The constraint on the decoder. */
export type LlamaHold =
  | { readonly type: 'free' }
  /** Values of a schema in the dialect of `llamaGrammar`. */
  | { readonly type: 'schema'; readonly schema: JsonObject }
  /** Any JSON. */
  | { readonly type: 'json' }
  /** A grammar in GBNF, its root rule `root`. */
  | { readonly type: 'gbnf'; readonly grammar: string }
  /** Text, or calls in the model's own format. */
  | {
      readonly type: 'functions';
      readonly functions: Readonly<Record<string, { readonly description: string; readonly params: JsonObject }>>;
    };

/** A request for an answer. */
export interface LlamaRequest {
  readonly turns: readonly LlamaTurn[];
  readonly hold: LlamaHold;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly seed?: number;
  readonly max_tokens?: number;
  /** Only count the tokens of the request. */
  readonly count?: true;
}

export interface LlamaAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly params: Json }[];
  readonly finish: 'complete' | 'length';
  readonly tokens_in: number;
  readonly tokens_out: number;
}

/** How a model is loaded. A process serves one model, loaded in one way. */
export interface LlamaLoading {
  /** Real path of the GGUF file. */
  readonly path: string;
  /** Context size in tokens. Default: 8192, or the trained size if smaller. */
  readonly context_size?: number;
  /** Default: all cores except one. */
  readonly threads?: number;
  /** Whether to use a GPU. Default: yes. */
  readonly gpu?: boolean;
}

/** Messages to a model's process. */
export type ToLlama =
  | { readonly type: 'load'; readonly loading: LlamaLoading }
  | { readonly type: 'complete'; readonly id: number; readonly request: LlamaRequest }
  | { readonly type: 'cancel'; readonly id: number };

export type LlamaFailureKind = 'not_installed' | 'load' | 'memory' | 'context' | 'grammar' | 'engine';

/** Messages from a model's process. A load failure is reported to each request. */
export type FromLlama =
  | { readonly type: 'delta'; readonly id: number; readonly part: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: LlamaAnswer }
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'failure'; readonly id: number; readonly kind: LlamaFailureKind; readonly message: string };
