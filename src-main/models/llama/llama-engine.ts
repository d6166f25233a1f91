import { availableParallelism, totalmem } from 'node:os';
import type { ChatHistoryItem, Llama, LlamaChat, LlamaChatResponseChunk, LlamaContextSequence, LlamaGrammar, Token } from 'node-llama-cpp';
import type { Json, JsonObject } from '#shared/json.ts';
import type { LlamaAnswer, LlamaFailureKind, LlamaHold, LlamaLoading, LlamaRequest, LlamaTurn } from './llama-messages.ts';

type Library = typeof import('node-llama-cpp');
type Schema = Parameters<Llama['createGrammarForJsonSchema']>[0];

/** A failure with a known kind. */
export class LlamaFailure extends Error {
  readonly kind: LlamaFailureKind;

  constructor(kind: LlamaFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Called with each chunk of an answer. */
export type OnPiece = (part: 'text' | 'reasoning', text: string) => void;

const defaultContext = 8192;

/** A model in this process's memory that generates one answer at a time. */
export class LlamaEngine {
  readonly #library: Library;
  readonly #llama: Llama;
  readonly #chat: LlamaChat;
  readonly #sequence: LlamaContextSequence;

  private constructor(library: Library, llama: Llama, sequence: LlamaContextSequence) {
    this.#library = library;
    this.#llama = llama;
    this.#sequence = sequence;
    this.#chat = new library.LlamaChat({ contextSequence: sequence });
  }

  /** Loads a model. Throws `LlamaFailure`. */
  static async load(loading: LlamaLoading): Promise<LlamaEngine> {
    const library = await import('node-llama-cpp').catch((error: unknown) => {
      throw new LlamaFailure('not_installed', messageOf(error));
    });
    // Leave one core free: llama.cpp threads busy-wait for each other, so one late thread delays all.
    const threads = loading.threads ?? Math.max(1, availableParallelism() - 1);
    try {
      const llama = await library.getLlama({
        gpu: loading.gpu === false ? false : 'auto',
        build: 'never',
        skipDownload: true,
        maxThreads: threads,
        logLevel: library.LlamaLogLevel.disabled,
        progressLogs: false,
      });
      const model = await llama.loadModel({ modelPath: loading.path });
      const contextSize = Math.min(loading.context_size ?? defaultContext, model.trainContextSize);
      const context = await model.createContext({ contextSize, threads });
      return new LlamaEngine(library, llama, context.getSequence());
    } catch (error) {
      throw loadFailure(library, error);
    }
  }

  /** Generates an answer. Throws `LlamaFailure`, or the signal's reason once it is aborted. */
  async complete(request: LlamaRequest, signal: AbortSignal, onPiece: OnPiece): Promise<LlamaAnswer> {
    const history: ChatHistoryItem[] = [...request.turns.map(historyItem), { type: 'model', response: [] }];
    const functions = request.hold.type === 'functions' ? functionsOf(request.hold) : undefined;
    const grammar = await this.#grammar(request.hold);
    const tokens_in = this.#length(history, functions);
    if (request.count) return { text: '', calls: [], finish: 'complete', tokens_in, tokens_out: 0 };
    const room = this.#sequence.contextSize - tokens_in;
    if (room < 1) {
      throw new LlamaFailure(
        'context',
        `The conversation has ${tokens_in} tokens, but the model's context size is ${this.#sequence.contextSize}`,
      );
    }
    const before = this.#sequence.tokenMeter.getState();
    const { temperature, top_p, top_k, min_p, seed, max_tokens } = request;
    const held = functions ? { functions, documentFunctionParams: true } : grammar ? { grammar } : {};
    try {
      const { response, functionCalls, metadata } = await this.#chat.generateResponse(history, {
        ...held,
        signal,
        maxTokens: Math.min(max_tokens ?? room, room),
        onResponseChunk: (chunk: LlamaChatResponseChunk) => onPiece(chunk.type === 'segment' ? 'reasoning' : 'text', chunk.text),
        ...(temperature !== undefined && { temperature }),
        ...(top_p !== undefined && { topP: top_p }),
        ...(top_k !== undefined && { topK: top_k }),
        ...(min_p !== undefined && { minP: min_p }),
        ...(seed !== undefined && { seed }),
      });
      return {
        text: response,
        calls: (functionCalls ?? []).map(({ functionName, params }) => ({ name: functionName, params: (params ?? {}) as Json })),
        finish: metadata.stopReason === 'maxTokens' ? 'length' : 'complete',
        tokens_in,
        tokens_out: this.#sequence.tokenMeter.diff(before).usedOutputTokens,
      };
    } catch (error) {
      signal.throwIfAborted();
      throw new LlamaFailure('engine', messageOf(error));
    }
  }

  async #grammar(hold: LlamaHold): Promise<LlamaGrammar | undefined> {
    try {
      switch (hold.type) {
        case 'schema':
          // The library types a schema as literals; it throws for what it can't compile.
          return await this.#llama.createGrammarForJsonSchema(hold.schema as unknown as Schema);
        case 'json':
          return await this.#library.LlamaGrammar.getFor(this.#llama, 'json');
        case 'gbnf':
          return await this.#llama.createGrammar({ grammar: hold.grammar });
        default:
          return undefined;
      }
    } catch (error) {
      throw new LlamaFailure('grammar', messageOf(error));
    }
  }

  /** Tokens of the whole conversation in the model's template. */
  #length(chatHistory: ChatHistoryItem[], availableFunctions: ReturnType<typeof functionsOf> | undefined): number {
    const { contextText } = this.#chat.chatWrapper.generateContextState({
      chatHistory,
      ...(availableFunctions && { availableFunctions, documentFunctionParams: true }),
    });
    const tokens: Token[] = contextText.tokenize(this.#sequence.model.tokenizer);
    return tokens.length;
  }
}

function historyItem(turn: LlamaTurn): ChatHistoryItem {
  return turn.type === 'model' ? ({ type: 'model', response: [...turn.response] } as ChatHistoryItem) : turn;
}

function functionsOf({ functions }: Extract<LlamaHold, { type: 'functions' }>) {
  return functions as Readonly<Record<string, { description: string; params: JsonObject & Schema }>>;
}

function loadFailure(library: Library, error: unknown): LlamaFailure {
  if (error instanceof library.NoBinaryFoundError) return new LlamaFailure('not_installed', 'no build of llama.cpp for this machine');
  const memory = error instanceof library.InsufficientMemoryError || /memory|alloc/i.test(messageOf(error));
  if (memory) return new LlamaFailure('memory', `${messageOf(error)}. The machine has ${Math.round(totalmem() / 1e9)} GB`);
  return new LlamaFailure('load', messageOf(error));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
