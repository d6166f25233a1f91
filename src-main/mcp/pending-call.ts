import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/** The outcome of a call: its result, or a question that the server asks the user before it continues. */
export type McpOutcome =
  | { readonly type: 'result'; readonly result: CallToolResult }
  | { readonly type: 'question'; readonly message: string; readonly schema: JsonSchema };

/** The answer to a server's question; null declines it. */
export type McpAnswer = JsonObject | null;

type Perform = (signal: AbortSignal, onSignOfLife: () => void) => Promise<CallToolResult>;

/**
 * A pending call of a server's tool. It stays open while the server waits for an answer. The timeout covers only the time that the server
 * works, and restarts with each progress message and each answer.
 */
export class PendingMcpCall {
  readonly #abort = new AbortController();
  readonly #patience: number;
  readonly #what: string;
  readonly #result: Promise<McpOutcome>;
  #timer: NodeJS.Timeout | undefined;
  #onQuestion: (question: McpOutcome) => void = () => undefined;
  #question: Promise<McpOutcome>;
  #answer: ((answer: ElicitResult) => void) | undefined;

  /** `patience` in milliseconds; `what` names the call in messages. */
  constructor(what: string, patience: number, perform: Perform) {
    this.#what = what;
    this.#patience = patience;
    this.#question = this.#nextQuestion();
    this.#wind();
    this.#result = perform(this.#abort.signal, () => this.#wind()).then(
      (result): McpOutcome => ({ type: 'result', result }),
      (error: unknown) => {
        throw this.#abort.signal.aborted ? this.#abort.signal.reason : error;
      },
    );
    this.#result.catch(() => undefined).finally(() => clearTimeout(this.#timer));
  }

  /** Whether the call waits for an answer from the user. */
  get asking(): boolean {
    return this.#answer !== undefined;
  }

  /** Resolves with the result or the next question. Rejects with the server's error, `ToolError` `Timeout`, or the reason for cancelling. */
  async outcome(signal: AbortSignal, reason: () => Error): Promise<McpOutcome> {
    const cancel = () => this.cancel(reason());
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await Promise.race([this.#result, this.#question]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Called when the server asks a question. `cancelled` is aborted when the server withdraws it. */
  ask(message: string, schema: Json, cancelled: AbortSignal): Promise<ElicitResult> {
    clearTimeout(this.#timer);
    return new Promise((resolve) => {
      this.#answer = resolve;
      cancelled.addEventListener('abort', () => this.#reply({ action: 'cancel' }), { once: true });
      this.#onQuestion({ type: 'question', message, schema: schema as JsonSchema });
    });
  }

  /** Answers the question, if it is still open. */
  reply(answer: McpAnswer): void {
    this.#reply(answer === null ? { action: 'decline' } : { action: 'accept', content: answer as ElicitResult['content'] });
  }

  /** Cancels the call and notifies the server. */
  cancel(reason: Error): void {
    this.#abort.abort(reason);
    this.#reply({ action: 'cancel' });
  }

  #reply(answer: ElicitResult): void {
    const resolve = this.#answer;
    if (!resolve) return;
    this.#answer = undefined;
    this.#question = this.#nextQuestion();
    this.#wind();
    resolve(answer);
  }

  #nextQuestion(): Promise<McpOutcome> {
    return new Promise((resolve) => {
      this.#onQuestion = resolve;
    });
  }

  #wind(): void {
    clearTimeout(this.#timer);
    if (this.asking || this.#abort.signal.aborted) return;
    const late = new ToolError('Timeout', `${this.#what} did not finish within ${this.#patience / 1000} s and was cancelled.`);
    this.#timer = setTimeout(() => this.cancel(late), this.#patience);
  }
}
