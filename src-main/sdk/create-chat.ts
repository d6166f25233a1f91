import { readJson } from '#main/agents/repair-json.ts';
import { unwrapped } from '#main/agents/submitted-output.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import { messageText } from '#main/models/message-text.ts';
import { type ContextInCode, splitSummariser } from '#main/sdk/builder/flow-tool.ts';
import { EventQueue } from '#main/sdk/run/event-queue.ts';
import type { StreamOptions } from '#main/sdk/run/event-stream.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { Correlation } from '#shared/run/correlation.ts';
import { FlowError, fromTransferable, type TransferableError, toTransferable } from '#shared/run/error.ts';
import type { RunEvent, Suspension, ValidationResult } from '#shared/run/event.ts';
import { exchangesOf, isFinished } from '#shared/run/kept-conversation.ts';
import type { ConversationEntry } from '#shared/run/message.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import type { ToolCallMade } from '#shared/run/system-request.ts';
import { promptUsage, type TokenUsage, UsageCounter } from '#shared/run/token-usage.ts';
import { agentTools } from './agent-tools.ts';
import { CallsMade } from './calls-made.ts';
import { type ChatEntries, chatEntries } from './chat-entries.ts';
import { type ChatSettings, chatFlow } from './chat-flow.ts';
import { type ChatRun, reopenChatRun, type StoredRun, startChatRun } from './chat-run.ts';
import type { RunJournal } from './run-journal.ts';
import { ValidationCollector } from './validation-result.ts';

/** A chat: its model or its flow, what it remembers under, and where its runs are recorded. */
export interface ChatOptions extends Omit<ChatSettings, 'context'> {
  /** Model URL. A chat with a `flow` has none. */
  readonly model?: string;
  /** A flow that is run for each message, in place of an agent: its agents say themselves what they remember. */
  readonly flow?: FlowGraph;
  /** The input of the flow. Default: `{ text }`. */
  readonly input?: (message: string) => Json;
  /** The flow's output as the text of the reply. Default: its field `text`, or its JSON. */
  readonly answer?: (output: Json) => string;
  /** What `chat.snapshot()` returned, to go on with it: the conversation, and a question that waits for an answer. */
  readonly snapshot?: ChatSnapshot;
  readonly context: Context;
  /** Key of the conversation. Default: a new one. */
  readonly conversation?: string;
  /** Names of the tools that the agent may call. Default: none. */
  readonly tools?: readonly string[];
  /** How much of the conversation is sent: the `context` of a flow's agent. Default: everything. */
  readonly history?: ContextInCode;
  /** Schema of the answers. Default: text. */
  readonly schema?: JsonSchema;
  /** Records each message as a run. Default: runs and conversation are kept in memory, by the context. */
  readonly journal?: RunJournal;
  /** Answers tools that ask. Without it, and without the context's, `reply.suspension` has the question. */
  readonly onSuspend?: (suspension: Suspension) => Json | Promise<Json>;
}

/** Settings of a single message. */
export interface SendOptions {
  /** The application's key of the message: sent again, it adds nothing and returns the answer that it got. */
  readonly key?: string;
  /** The tools for this message, of those of the chat. */
  readonly tools?: readonly string[];
  /** What the model should know besides, for this message. */
  readonly memory?: string;
}

/** What came of a message: the answer, a question that waits, or a failure. */
export interface ChatReply {
  /** The answer as text. */
  readonly content: string;
  /** The answer by the chat's schema; null without one, and where there is no answer. */
  readonly output: Json | null;
  readonly tool_calls_made: readonly ToolCallMade[];
  readonly usage: TokenUsage;
  /** How the output was validated; null in a chat without a schema. */
  readonly validation: ValidationResult | null;
  /** The run of the message; null where nothing ran. */
  readonly run_id: string | null;
  /** The question that the chat waits for: answer it with `resume`. */
  readonly suspension: Suspension | null;
  readonly error: TransferableError | null;
}

/** A chat as plain JSON. */
export interface ChatSnapshot {
  readonly pravah_chat: 1;
  readonly conversation: string;
  readonly entries: readonly ConversationEntry[];
  /** The run that waits for an answer, and its question. */
  readonly waiting: { readonly run: StoredRun; readonly suspension: Suspension } | null;
}

interface UnderWay {
  readonly run: ChatRun;
  readonly calls: CallsMade;
  readonly validation: ValidationCollector;
  readonly usage: UsageCounter;
  waiting: Suspension | null;
}

/** Who receives the events of a message. */
type Reader = Pick<Context, 'onEvent' | 'ready'>;

type ChatTools = ReturnType<typeof agentTools>;

/** Creates a chat with an agent. Throws `FlowError` `Invalid` for options that cannot work; nothing is sent yet. */
export async function createChat(options: ChatOptions): Promise<Chat> {
  const { context, journal, snapshot } = options;
  const key = options.conversation ?? snapshot?.conversation ?? context.newId();
  assertOneKind(options);
  if (options.tools && options.tools.length > 0) agentTools([...options.tools], context);
  const entries = chatEntries(key, context, journal);
  const chat = new Chat(options, key, entries);
  if (snapshot && snapshot.entries.length > 0 && (await entries.load()).length === 0) await entries.begin(snapshot.entries);
  if (snapshot?.waiting) chat.goOn(snapshot.waiting);
  return chat;
}

/** A chat is an agent's, or a flow's. */
function assertOneKind({ model, flow, tools, schema }: ChatOptions): void {
  const problem =
    (model === undefined) === (flow === undefined)
      ? 'createChat needs either a model or a flow.'
      : flow && (tools || schema)
        ? 'A chat with a flow takes neither tools nor a schema: they belong to the agents of the flow.'
        : null;
  if (problem) throw new FlowError('Invalid', problem, { code: 'CONFIG_REQUEST_INVALID' });
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
    return this.#send(text, options, this.#options.context);
  }

  /** Sends a message and yields its events; the reply is what the generator returns. Leaving the loop does not end the run. */
  async *stream(
    text: string,
    { overflow, node_events = false, ...options }: SendOptions & StreamOptions = {},
  ): AsyncGenerator<RunEvent, ChatReply> {
    const queue = new EventQueue(overflow, node_events);
    const reply = this.#send(text, options, { onEvent: (event) => queue.add(event), ready: () => queue.room() }).finally(() => queue.end());
    try {
      yield* queue.events();
    } finally {
      queue.close();
    }
    return reply;
  }

  /** Answers the question of `reply.suspension`. */
  async resume(answer: Json): Promise<ChatReply> {
    const current = this.#underWay;
    if (current === null || current === 'starting' || !current.waiting)
      return failedReply(new FlowError('UnexpectedResumption', 'The chat waits for no answer.'));
    const { tool_id, tool_call_id } = current.waiting;
    current.waiting = null;
    return this.#drive(current, this.#options.context, (context) => current.run.resume(context, tool_id, answer, { tool_call_id }));
  }

  /** The conversation's entries, with unfinished exchanges. */
  messages(): Promise<readonly ConversationEntry[]> {
    return this.#entries.load();
  }

  /**
   * Summarises the conversation now, except for its last messages (`history.summarise`, default: 6). Returns the summary; null if there is nothing to
   * replace. Throws `FlowError`, also `Conflict` while a message is under way.
   */
  async compact(): Promise<string | null> {
    const reply = await this.#drivenAlone(() =>
      startChatRun(this.#flow([], {}, { compacts: true }), { text: '' }, this.#options.context, this.#options.journal),
    );
    if (reply.error) throw fromTransferable(reply.error);
    return reply.content === '' ? null : reply.content;
  }

  /** The chat as plain JSON: `createChat({ …, snapshot })` goes on with it. Throws `Conflict` while a message is under way that waits for no answer. */
  async snapshot(): Promise<ChatSnapshot> {
    const current = this.#underWay;
    if (current !== null && (current === 'starting' || !current.waiting)) throw underWay(this.conversation);
    const { run, waiting } = current ?? {};
    const memory = run && !this.#options.journal ? { snapshot: run.snapshot(), history: run.history() } : null;
    return {
      pravah_chat: 1,
      conversation: this.conversation,
      entries: await this.messages(),
      waiting: run && waiting ? { run: { flow: this.#options.flow ? null : run.flow, run_id: run.id, memory }, suspension: waiting } : null,
    };
  }

  /** @internal Goes on with a run that waits for an answer. */
  goOn({ run, suspension }: NonNullable<ChatSnapshot['waiting']>): void {
    this.#underWay = {
      run: reopenChatRun(run, this.#options.flow, this.#options.journal),
      calls: new CallsMade(),
      validation: new ValidationCollector(),
      usage: new UsageCounter(),
      waiting: suspension,
    };
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

  async #send(text: string, options: SendOptions, reader: Reader): Promise<ChatReply> {
    if (this.#underWay) return failedReply(underWay(this.conversation));
    this.#underWay = 'starting';
    try {
      const known = options.key === undefined ? null : await this.#answered(options.key);
      if (known) {
        this.#underWay = null;
        return known;
      }
      const { context, journal, input = (message: string): Json => ({ text: message }) } = this.#options;
      const run = startChatRun(this.#flow(await this.#tools(options.tools), options), input(text), context, journal);
      this.#underWay = {
        run,
        calls: new CallsMade(),
        validation: new ValidationCollector(),
        usage: new UsageCounter(),
        waiting: null,
      };
    } catch (error) {
      this.#underWay = null;
      return failedReply(error);
    }
    const current = this.#underWay;
    return this.#drive(current, reader, (context) => current.run.next(context));
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

  #flow(tools: ChatTools, { key, memory = this.#options.memory }: SendOptions, more: { readonly compacts?: true } = {}): FlowGraph {
    const { model, flow, preamble, params, limits, output, trust_content, guards, stall, schema, history } = this.#options;
    if (model === undefined) {
      if (!flow || key !== undefined || memory !== undefined || more.compacts)
        throw new FlowError(
          'Invalid',
          'A chat with a flow has no keys, no memory and no summaries: they belong to the agents of the flow.',
        );
      return flow;
    }
    const { context, summariser } = splitSummariser(history);
    const settings: ChatSettings = {
      ...(preamble !== undefined && { preamble }),
      ...(memory !== undefined && { memory }),
      ...(context && { context }),
      ...(params && { params }),
      ...(limits && { limits }),
      ...(stall && { stall }),
      ...(output && { output }),
      ...(guards && { guards }),
      ...(trust_content !== undefined && { trust_content }),
    };
    const body = { ...(key !== undefined && { message_key: key }), ...(summariser && { summariser }), ...more };
    return chatFlow(model, this.conversation, settings, tools, more.compacts ? undefined : schema, body);
  }

  /** Runs to the end, or fails: where no message is under way. */
  async #drivenAlone(start: () => ChatRun): Promise<ChatReply> {
    if (this.#underWay) throw underWay(this.conversation);
    const current = {
      run: start(),
      calls: new CallsMade(),
      validation: new ValidationCollector(),
      usage: new UsageCounter(),
      waiting: null,
    };
    this.#underWay = current;
    return this.#drive(current, this.#options.context, (context) => current.run.next(context));
  }

  /** Drives a run until it ends, asks or fails. */
  async #drive(current: UnderWay, reader: Reader, first: (context: Context) => Promise<RunOutcome>): Promise<ChatReply> {
    const { context: base, onSuspend = base.onSuspend } = this.#options;
    const context: Context = {
      ...base,
      from_program: true,
      ...(reader.ready && { ready: reader.ready }),
      signal: AbortSignal.any([base.signal, this.#closing.signal]),
      onEvent: (event) => {
        current.calls.take(event);
        current.validation.take(event);
        current.usage.take(event);
        tell(event);
      },
    };
    const { id: run_id, flow } = current.run;
    const began = base.clock.now();
    const usage = new UsageCounter();
    const correlation = new Correlation({ session_id: this.conversation });
    let seq = 0;
    const tell = (event: RunEvent) => {
      usage.take(event);
      seq = event.seq;
      notifyListener({ onEvent: reader.onEvent, onListenerError: base.onListenerError }, correlation.add(event));
    };
    const common = () => ({ run_id, seq, timestamp: base.clock.now() });
    tell({ ...common(), type: 'init_stream', flow: flow.name, flow_hash: flow.hash, conversation_id: this.conversation });
    const reply = await this.#driven(current, context, first, onSuspend);
    const { error, suspension, output, content } = reply;
    const { tokens_in, tokens_out } = usage.usage;
    tell({
      ...common(),
      type: 'end_stream',
      status: suspension ? 'suspended' : error === null ? 'success' : error.category === 'cancellation' ? 'cancelled' : 'error',
      ...(error ? { error } : suspension ? {} : { output: output ?? content }),
      states: [],
      total_duration_ms: base.clock.now() - began,
      tokens_used: tokens_in + tokens_out,
      usage: promptUsage(usage.usage),
    });
    return reply;
  }

  async #driven(
    current: UnderWay,
    context: Context,
    first: (context: Context) => Promise<RunOutcome>,
    onSuspend: ChatOptions['onSuspend'],
  ): Promise<ChatReply> {
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
      return this.#reply(current, null, toTransferable(error));
    }
  }

  #end(current: UnderWay): void {
    current.run.close();
    this.#underWay = null;
  }

  #reply({ run, calls, usage, validation }: UnderWay, output: Json, error: TransferableError | null = null): ChatReply {
    const { schema, flow, answer } = this.#options;
    const field = schema === undefined && isJsonObject(output) ? (output.text ?? output) : output;
    const text = flow && answer && output !== null ? answer(output) : field;
    const content = typeof text === 'string' ? text : text === null ? '' : JSON.stringify(text);
    const value = schema === undefined && !flow ? null : output;
    const validated = schema === undefined ? null : validation.result(output, error);
    return {
      ...emptyReply,
      content,
      output: value,
      tool_calls_made: calls.list,
      usage: usage.usage,
      validation: validated,
      run_id: run.id,
      error,
    };
  }
}

const emptyReply: ChatReply = {
  content: '',
  output: null,
  tool_calls_made: [],
  usage: { tokens_in: 0, tokens_out: 0 },
  validation: null,
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
