import { unwrapped } from '#main/agents/agent-plan.ts';
import { readJson } from '#main/agents/repair-json.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import { messageText } from '#main/models/message-text.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { FlowError, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent, Suspension } from '#shared/run/event.ts';
import { exchangesOf, isFinished } from '#shared/run/kept-conversation.ts';
import { addUsage, type ConversationEntry, type TokenUsage } from '#shared/run/message.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import type { ToolCallMade } from '#shared/run/system-request.ts';
import { agentTools } from './agent-tools.ts';
import { CallsMade } from './calls-made.ts';
import { type ChatEntries, chatEntries } from './chat-entries.ts';
import { type ChatSettings, chatFlow } from './chat-flow.ts';
import { EventQueue } from './event-queue.ts';
import type { RunJournal } from './run-journal.ts';

/** A chat: its model, what it remembers under, and where its runs are recorded. */
export interface ChatOptions extends Omit<ChatSettings, 'context'> {
  /** Model URL. */
  readonly model: string;
  readonly context: Context;
  /** Key of the conversation. Default: a new one. */
  readonly conversation?: string;
  /** Names of the tools that the agent may call. Default: none. */
  readonly tools?: readonly string[];
  /** How much of the conversation is sent: the `context` of a flow's agent. Default: everything. */
  readonly history?: ChatSettings['context'];
  /** Schema of the answers. Default: text. */
  readonly schema?: JsonSchema;
  /** Records each message as a run. Default: runs and conversation are kept in memory, by the context. */
  readonly journal?: RunJournal;
  /** Answers tools that ask. Without it, and without the context's, `reply.suspension` has the question. */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
}

export interface SendOptions {
  /** The application's key of the message: sent again, it adds nothing and returns the answer that it got. */
  readonly key?: string;
  /** The tools for this message, of those of the chat. */
  readonly tools?: readonly string[];
  /** What the model should know besides, for this message. */
  readonly memory?: string;
}

export interface ChatReply {
  /** The answer as text. */
  readonly content: string;
  /** The answer by the chat's schema; null without one, and where there is no answer. */
  readonly output: Json | null;
  readonly tool_calls_made: readonly ToolCallMade[];
  readonly usage: TokenUsage;
  /** The run of the message; null where nothing ran. */
  readonly run_id: string | null;
  /** The question that the chat waits for: answer it with `resume`. */
  readonly suspension: Suspension | null;
  readonly error: TransferableError | null;
}

/** A run of a message, in a journal or in memory. */
interface ChatRun {
  readonly id: string;
  next(context: Context): Promise<RunOutcome>;
  resume(context: Context, toolId: string, payload: Json, options: { readonly tool_call_id?: string }): Promise<RunOutcome>;
  close(): void;
}

interface UnderWay {
  readonly run: ChatRun;
  readonly calls: CallsMade;
  usage: TokenUsage;
  waiting: Suspension | null;
}

/** Creates a chat with an agent. Throws `FlowError` `Invalid` for options that cannot work; nothing is sent yet. */
export async function createChat(options: ChatOptions): Promise<Chat> {
  const key = options.conversation ?? options.context.newId();
  if (options.tools && options.tools.length > 0) await agentTools([...options.tools], options.context);
  return new Chat(options, key, chatEntries(key, options.context, options.journal));
}

/** A conversation with an agent. Each message is a run, one at a time. */
export class Chat {
  /** Key of its conversation. */
  readonly conversation: string;
  readonly #options: ChatOptions;
  readonly #entries: ChatEntries;
  readonly #closing = new AbortController();
  #underWay: UnderWay | 'starting' | null = null;

  /** @internal Use `createChat`. */
  constructor(options: ChatOptions, conversation: string, entries: ChatEntries) {
    this.#options = options;
    this.conversation = conversation;
    this.#entries = entries;
  }

  /** Sends a message. Never rejects: a failure is the reply's `error`, also that another message is under way (`Conflict`). */
  send(text: string, options: SendOptions = {}): Promise<ChatReply> {
    return this.#send(text, options, this.#options.context.onEvent);
  }

  /** Sends a message and yields its events; the reply is what the generator returns. Leaving the loop does not end the run. */
  async *stream(text: string, options: SendOptions = {}): AsyncGenerator<RunEvent, ChatReply> {
    const queue = new EventQueue();
    const reply = this.#send(text, options, (event) => queue.add(event)).finally(() => queue.end());
    yield* queue.events();
    return reply;
  }

  /** Answers the question of `reply.suspension`. */
  async resume(answer: Json): Promise<ChatReply> {
    const current = this.#underWay;
    if (current === null || current === 'starting' || !current.waiting)
      return failedReply(new FlowError('UnexpectedResumption', 'The chat waits for no answer.'));
    const { tool_id, tool_call_id } = current.waiting;
    current.waiting = null;
    const listener = this.#options.context.onEvent;
    return this.#drive(current, listener, (context) => current.run.resume(context, tool_id, answer, { tool_call_id }));
  }

  /** The conversation's entries, with unfinished exchanges. */
  messages(): Promise<readonly ConversationEntry[]> {
    return this.#entries.load();
  }

  /** A chat that goes on from position `at` (default: the end) in a conversation of its own. */
  async fork({ at = Number.POSITIVE_INFINITY }: { readonly at?: number } = {}): Promise<Chat> {
    const entries = (await this.messages()).filter(({ entry }) => entry.position <= at);
    const chat = await createChat({ ...this.#options, conversation: `${this.conversation}/${this.#options.context.newId()}` });
    if (entries.length > 0) await chat.#entries.begin(entries);
    return chat;
  }

  /** Empties the conversation. Throws `Conflict` while a message is under way. */
  async drop(): Promise<void> {
    if (this.#underWay) throw underWay(this.conversation);
    await this.#entries.drop();
  }

  /** Cancels a message under way. The conversation stays. */
  close(): void {
    this.#closing.abort(new FlowError('Cancelled', 'The chat was closed.'));
    if (this.#underWay && this.#underWay !== 'starting' && this.#underWay.waiting) this.#end(this.#underWay);
  }

  async #send(text: string, options: SendOptions, listener: Context['onEvent']): Promise<ChatReply> {
    if (this.#underWay) return failedReply(underWay(this.conversation));
    this.#underWay = 'starting';
    try {
      const known = options.key === undefined ? null : await this.#answered(options.key);
      if (known) {
        this.#underWay = null;
        return known;
      }
      const run = this.#start(text, await this.#tools(options.tools), options);
      this.#underWay = { run, calls: new CallsMade(), usage: { tokens_in: 0, tokens_out: 0 }, waiting: null };
    } catch (error) {
      this.#underWay = null;
      return failedReply(error);
    }
    const current = this.#underWay;
    return this.#drive(current, listener, (context) => current.run.next(context));
  }

  async #tools(asked: readonly string[] | undefined) {
    const { tools, context } = this.#options;
    const other = asked?.find((name) => !tools?.includes(name));
    if (other !== undefined) throw new FlowError('Invalid', `The chat has no tool ${other}. Add it to the tools of createChat.`);
    const chosen = asked ?? tools;
    // An empty list allows no tool; for `agentTools` it means all.
    return chosen === undefined || chosen.length === 0 ? [] : agentTools([...chosen], context);
  }

  /** The reply that a message with this key has got; null if it was not sent, or got none. */
  async #answered(key: string): Promise<ChatReply | null> {
    const exchanges = exchangesOf(await this.messages());
    const exchange = exchanges.find((entries) => entries[0]?.entry.key === key && isFinished(entries));
    const answer = exchange?.findLast(({ role }) => role === 'assistant');
    if (!answer) return null;
    const submitted = answer.content.flatMap((part) => (part.type === 'tool_call' && part.tool === submitTool ? [part.input] : []))[0];
    const text = messageText({ ...answer, content: answer.content.filter(({ type }) => type === 'text') });
    const { schema } = this.#options;
    if (schema === undefined) return { ...emptyReply, content: text, run_id: answer.entry.run_id };
    const output = submitted === undefined ? (readJson(text, true, false) ?? text) : unwrapped(schema, submitted);
    return { ...emptyReply, content: JSON.stringify(output), output, run_id: answer.entry.run_id };
  }

  #start(text: string, tools: Awaited<ReturnType<typeof agentTools>>, { key, memory = this.#options.memory }: SendOptions): ChatRun {
    const { model, preamble, context, params, limits, output, trust_content, schema, journal, history } = this.#options;
    const settings: ChatSettings = {
      ...(preamble !== undefined && { preamble }),
      ...(memory !== undefined && { memory }),
      ...(history && { context: history }),
      ...(params && { params }),
      ...(limits && { limits }),
      ...(output && { output }),
      ...(trust_content !== undefined && { trust_content }),
    };
    const flow = chatFlow(model, this.conversation, settings, tools, schema, key);
    if (!journal) {
      const runtime = FlowRuntime.new(flow, { text }, { run_id: context.newId() });
      return {
        id: runtime.runId,
        next: (ctx) => runtime.next(ctx),
        resume: (ctx, toolId, payload, more) => runtime.resume(ctx, toolId, payload, more),
        close: () => runtime.dispose(),
      };
    }
    const run = journal.start<unknown, Json>(flow, { text });
    return {
      id: run.run_id,
      next: (ctx) => run.next(ctx),
      resume: (ctx, toolId, payload, more) => run.resume(ctx, toolId, payload, more),
      close: () => run.close(),
    };
  }

  /** Drives a run until it ends, asks or fails. */
  async #drive(current: UnderWay, listener: Context['onEvent'], first: (context: Context) => Promise<RunOutcome>): Promise<ChatReply> {
    const { context: base, onSuspend = base.onSuspend } = this.#options;
    const context: Context = {
      ...base,
      from_program: true,
      signal: AbortSignal.any([base.signal, this.#closing.signal]),
      onEvent: (event) => {
        current.calls.take(event);
        if (event.type === 'inference_end') {
          current.usage = addUsage(current.usage, event);
        }
        if (listener) notifyListener({ onEvent: listener, onListenerError: base.onListenerError }, event);
      },
    };
    try {
      for (let outcome = await first(context); ; ) {
        if (outcome.type === 'done') {
          this.#end(current);
          return this.#reply(current, outcome.output);
        }
        if (outcome.type === 'continue') outcome = await current.run.next(context);
        else {
          const { type: _type, ...suspension } = outcome;
          if (!onSuspend) {
            current.waiting = suspension;
            return { ...this.#reply(current, null), suspension };
          }
          const { tool_id, tool_call_id } = suspension;
          outcome = await current.run.resume(context, tool_id, await onSuspend(suspension), { tool_call_id });
        }
      }
    } catch (error) {
      this.#end(current);
      return { ...this.#reply(current, null), error: toTransferable(error) };
    }
  }

  #end(current: UnderWay): void {
    current.run.close();
    this.#underWay = null;
  }

  #reply({ run, calls, usage }: UnderWay, output: Json): ChatReply {
    const text = this.#options.schema === undefined && isJsonObject(output) ? output.text : output;
    const content = typeof text === 'string' ? text : text === null ? '' : JSON.stringify(text);
    const value = this.#options.schema === undefined ? null : output;
    return { ...emptyReply, content, output: value, tool_calls_made: calls.list, usage: { ...usage }, run_id: run.id };
  }
}

const emptyReply: ChatReply = {
  content: '',
  output: null,
  tool_calls_made: [],
  usage: { tokens_in: 0, tokens_out: 0 },
  run_id: null,
  suspension: null,
  error: null,
};

function failedReply(error: unknown): ChatReply {
  return { ...emptyReply, error: toTransferable(error) };
}

function underWay(conversation: string): FlowError {
  return new FlowError(
    'Conflict',
    `A message of the conversation ${conversation} is under way. Wait for its reply, or answer its question.`,
    {
      code: 'ORCHESTRATION_CONVERSATION_BUSY',
      details: { conversation },
    },
  );
}
