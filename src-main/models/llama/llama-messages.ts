import type { Json, JsonObject } from '#shared/json.ts';

/** A turn of the conversation in the words of `node-llama-cpp`'s chat history. */
export type LlamaTurn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly (string | LlamaCall)[] };

/** A call of a function that the model made earlier, with what came of it. */
export interface LlamaCall {
  readonly type: 'functionCall';
  readonly name: string;
  readonly params: Json;
  readonly result: Json;
}

/** What the decoder is held to. */
export type LlamaHold =
  | { readonly type: 'free' }
  /** Values of a schema in the dialect of `llamaGrammar`. */
  | { readonly type: 'schema'; readonly schema: JsonObject }
  /** Any JSON. */
  | { readonly type: 'json' }
  /** A grammar in GBNF, its root rule `root`. */
  | { readonly type: 'gbnf'; readonly grammar: string }
  /** Text, or calls in the words that the model was trained on. */
  | {
      readonly type: 'functions';
      readonly functions: Readonly<Record<string, { readonly description: string; readonly params: JsonObject }>>;
    };

/** One answer to be made. */
export interface LlamaRequest {
  readonly turns: readonly LlamaTurn[];
  readonly hold: LlamaHold;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly seed?: number;
  readonly max_tokens?: number;
}

export interface LlamaAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly params: Json }[];
  readonly finish: 'complete' | 'length';
  readonly tokens_in: number;
  readonly tokens_out: number;
}

/** How a model is loaded. A process serves one model, loaded one way. */
export interface LlamaLoading {
  /** Real path of the GGUF file. */
  readonly path: string;
  /** Tokens that the model sees at once. Default: 8192, or what it was trained on where that is less. */
  readonly context_size?: number;
  /** Default: all of the processor's cores but one. */
  readonly threads?: number;
  /** Whether a graphics card may be used. Default: yes. */
  readonly gpu?: boolean;
}

/** What the process of a model is told. */
export type ToLlama =
  | { readonly type: 'load'; readonly loading: LlamaLoading }
  | { readonly type: 'complete'; readonly id: number; readonly request: LlamaRequest }
  | { readonly type: 'cancel'; readonly id: number };

export type LlamaFailureKind = 'not_installed' | 'load' | 'memory' | 'context' | 'grammar' | 'engine';

/** What the process of a model tells. A failure to load is told to each request. */
export type FromLlama =
  | { readonly type: 'delta'; readonly id: number; readonly part: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: LlamaAnswer }
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'failure'; readonly id: number; readonly kind: LlamaFailureKind; readonly message: string };
