import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/runtime/error.ts';

/** What a call came to: its result, or a question that the server asks the user before it goes on. */
export type McpOutcome =
  | { readonly type: 'result'; readonly result: CallToolResult }
  | { readonly type: 'question'; readonly message: string; readonly schema: JsonSchema };

/** The answer to a server's question; null declines it. */
export type McpAnswer = JsonObject | null;

type Perform = (signal: AbortSignal, onSignOfLife: () => void) => Promise<CallToolResult>;

/**
 * One call of a server's tool. It stays open while the server waits for an answer, and its time counts only while the server works: from the
 * call, from each sign of progress, from an answer.
 */
export class CallUnderWay {
  readonly #abort = new AbortController();
  readonly #patience: number;
  readonly #what: string;
  readonly #result: Promise<McpOutcome>;
  #timer: NodeJS.Timeout | undefined;
  #asked: (question: McpOutcome) => void = () => undefined;
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

  /** Whether it waits for an answer of the user. */
  get asking(): boolean {
    return this.#answer !== undefined;
  }

  /** What comes next. Rejects with what the server answered wrongly, `ToolError` `Timeout`, or what it was given up for. */
  async outcome(signal: AbortSignal, reason: () => Error): Promise<McpOutcome> {
    const giveUp = () => this.giveUp(reason());
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      return await Promise.race([this.#result, this.#question]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** The server asks. `withdrawn` is aborted when it no longer wants to know. */
  ask(message: string, schema: Json, withdrawn: AbortSignal): Promise<ElicitResult> {
    clearTimeout(this.#timer);
    return new Promise((resolve) => {
      this.#answer = resolve;
      withdrawn.addEventListener('abort', () => this.#reply({ action: 'cancel' }), { once: true });
      this.#asked({ type: 'question', message, schema: schema as JsonSchema });
    });
  }

  /** Answers what was asked, where that is still wanted. */
  reply(answer: McpAnswer): void {
    this.#reply(answer === null ? { action: 'decline' } : { action: 'accept', content: answer as ElicitResult['content'] });
  }

  /** Ends the call; the server is told. */
  giveUp(reason: Error): void {
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
      this.#asked = resolve;
    });
  }

  #wind(): void {
    clearTimeout(this.#timer);
    if (this.asking || this.#abort.signal.aborted) return;
    const late = new ToolError('Timeout', `${this.#what} did not end within ${this.#patience / 1000} s and was given up.`);
    this.#timer = setTimeout(() => this.giveUp(late), this.#patience);
  }
}
