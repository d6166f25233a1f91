import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, ElicitResult, Progress, Tool } from '@modelcontextprotocol/sdk/types.js';
import { CallUnderWay, type McpAnswer, type McpOutcome } from '#main/mcp/call-under-way.ts';
import type { LastWords } from '#main/mcp/last-words.ts';
import { type McpToolDefinition, readDefinition } from '#main/mcp/tool-definition.ts';
import { makeTransport, type ServerPlace, type ServerTransport } from '#main/mcp/transport.ts';
import { version } from '#main/version.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/runtime/error.ts';

/** One call of a tool, as a connection makes it. */
export interface McpCall {
  /** Tells it apart from the connection's other calls; with it an answer finds the call that asked. */
  readonly key: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** What a server offers, as it lists it now. */
export interface McpOffer {
  readonly tools: readonly McpToolDefinition[];
  /** Why others that it lists cannot be used. */
  readonly faults: readonly string[];
}

export interface ConnectionOptions extends ServerPlace {
  readonly name: string;
  readonly settings: McpServerSettings;
  /** Called when the server says that its tools have changed, and when the connection has ended. */
  readonly onChange: () => void;
}

/** How long a server may take to start and introduce itself, in milliseconds: some are fetched first. */
const START_PATIENCE = 60_000;
/** How long a program may take to end by itself once it is no longer needed, in milliseconds. */
const CLOSE_PATIENCE = 400;
/** How long a call may show no sign of life when the settings say nothing, in milliseconds. */
const CALL_PATIENCE = 60_000;
/** Pages of tools, and tools, that are read. */
const MOST_PAGES = 50;
const MOST_TOOLS = 512;
/** Characters that are kept of a line of progress, and of a question to the user. */
const LONGEST_LINE = 1000;
const LONGEST_QUESTION = 8000;
/** How long a server's news of other tools are gathered before they are told on, in milliseconds: some tell it after each look. */
const NEWS_REST = 500;
/** The longest time that a timer takes; calls have timers of their own. */
const NEVER = 2 ** 31 - 1;

/**
 * A connection to one server, from its start to its end: it is not opened again. The server may ask the user something (elicitation); models
 * (sampling) and folders (roots) are not among what it is offered, so the SDK refuses what it asks of them.
 */
export class McpConnection {
  readonly server: { readonly name: string; readonly version: string };
  readonly #options: ConnectionOptions;
  readonly #client: Client;
  readonly #way: ServerTransport;
  readonly #calls = new Map<string, CallUnderWay>();
  #offer: Promise<McpOffer> | undefined;
  #news: NodeJS.Timeout | undefined;
  /** Whether calls are made one after another, so that it is clear which of them asks. */
  #oneByOne = false;
  /** Questions of the server that nobody has been asked yet, and what has those look again that wait for calls to end. */
  #questions = 0;
  readonly #held: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #ended = false;

  private constructor(options: ConnectionOptions, client: Client, way: ServerTransport) {
    this.#options = options;
    this.#client = client;
    this.#way = way;
    this.server = { name: client.getServerVersion()?.name ?? options.name, version: client.getServerVersion()?.version ?? '' };
  }

  /** Starts or reaches the server. Throws `ToolError` `Missing` when it cannot be had, and what `makeTransport` throws. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const [{ Client: SdkClient }, way] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      makeTransport(options.name, options.settings, options),
    ]);
    const { ElicitRequestSchema, ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const client = new SdkClient({ name: 'pravah-studio', version }, { capabilities: { elicitation: { form: {} } } });
    try {
      await client.connect(way.transport, { timeout: START_PATIENCE, signal });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw unreachable(options.name, error, way.lastWords);
    }
    const connection = new McpConnection(options, client, way);
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => connection.#listChanged());
    client.setRequestHandler(ElicitRequestSchema, ({ params }, extra) => connection.#elicited(params, extra.signal));
    client.onclose = () => connection.#end();
    // A message that makes no sense ends nothing; what waits for an answer has its own patience.
    client.onerror = () => undefined;
    return connection;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** What the server printed last on standard error. */
  get lastWords(): string {
    return this.#way.lastWords.text;
  }

  /** The tools that the server lists; asked again once it has said that they changed. Throws `ToolError`. */
  offer(): Promise<McpOffer> {
    this.#offer ??= this.#list().catch((error: unknown) => {
      this.#offer = undefined;
      throw this.#failure('list its tools', error);
    });
    return this.#offer;
  }

  /** Calls a tool. Throws `ToolError`, and `FlowError` `Cancelled` when the signal ends it; the server is told then. */
  async call(call: McpCall): Promise<McpOutcome> {
    if (this.#oneByOne) return this.#inTurn(() => this.#begin(call));
    return this.#begin(call);
  }

  /** Answers the question of a call that waits; null where no such call waits any more. */
  answer(key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome> | null {
    const call = this.#calls.get(key);
    if (!call) return null;
    call.reply(answer);
    return this.#outcome(key, call, signal);
  }

  /** Gives up calls, such as those that wait for an answer that nobody will give any more; the server is told. */
  forget(meant: (key: string) => boolean): void {
    for (const [key, call] of this.#calls) {
      if (!meant(key)) continue;
      this.#calls.delete(key);
      call.giveUp(cancelled());
    }
    this.#stir();
  }

  /** Ends the connection, and with it the server's program. */
  async close(): Promise<void> {
    const reason = new ToolError('Missing', `The MCP server ${this.#options.name} was stopped.`);
    for (const call of this.#calls.values()) call.giveUp(reason);
    // A program that stays although its input has ended is not waited for long.
    const pid = this.#way.pid();
    const late = pid === null ? undefined : setTimeout(() => process.kill(pid, 'SIGTERM'), CLOSE_PATIENCE);
    await this.#client.close().catch(() => undefined);
    clearTimeout(late);
    this.#end();
  }

  async #begin({ key, tool, input, signal, onProgress }: McpCall): Promise<McpOutcome> {
    const { name, settings } = this.#options;
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const patience = settings.timeout === undefined ? CALL_PATIENCE : settings.timeout * 1000;
    const call = new CallUnderWay(
      `${tool} of the MCP server ${name}`,
      patience,
      (ending, onSignOfLife) =>
        this.#client.request({ method: 'tools/call', params: { name: tool, arguments: { ...input } } }, CallToolResultSchema, {
          signal: ending,
          timeout: NEVER,
          onprogress: (progress) => {
            onSignOfLife();
            onProgress(progressText(progress));
          },
        }) as Promise<CallToolResult>,
    );
    this.#calls.set(key, call);
    return this.#outcome(key, call, signal);
  }

  async #outcome(key: string, call: CallUnderWay, signal: AbortSignal): Promise<McpOutcome> {
    let outcome: McpOutcome | undefined;
    try {
      outcome = await call.outcome(signal, cancelled);
      return outcome;
    } catch (error) {
      throw this.#failure('answer the call', error);
    } finally {
      if (outcome?.type !== 'question') this.#calls.delete(key);
      this.#stir();
    }
  }

  /** One call after another. One that asks the user makes way for the next. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #list(): Promise<McpOffer> {
    const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const listed: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && listed.length <= MOST_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.#client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout: START_PATIENCE });
      listed.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return offerOf(listed);
  }

  #listChanged(): void {
    this.#offer = undefined;
    this.#news ??= setTimeout(() => {
      this.#news = undefined;
      this.#options.onChange();
    }, NEWS_REST).unref();
  }

  /**
   * The server does not say which call asks. When several are under way it shows once the others have ended, unless as many ask: then nobody can
   * tell, and the questions are called off. From the first such question on, calls follow one another.
   */
  async #elicited(params: { message: string; requestedSchema?: unknown }, withdrawn: AbortSignal): Promise<ElicitResult> {
    const working = () => [...this.#calls.values()].filter((call) => !call.asking);
    if (working().length > 1) this.#oneByOne = true;
    this.#questions += 1;
    this.#stir();
    withdrawn.addEventListener('abort', () => this.#stir(), { once: true });
    while (!withdrawn.aborted && this.#questions < working().length) await new Promise<void>((stirred) => this.#held.push(stirred));
    const [call, another] = working();
    this.#questions -= 1;
    if (withdrawn.aborted || !call || another) return { action: 'cancel' };
    return call.ask(params.message.slice(0, LONGEST_QUESTION), params.requestedSchema as Json, withdrawn);
  }

  /** Has the questions that are held look again whose they are. */
  #stir(): void {
    for (const stirred of this.#held.splice(0)) stirred();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#news);
    this.#options.onChange();
  }

  #failure(what: string, error: unknown): Error {
    if (error instanceof ToolError || error instanceof FlowError) return error;
    const { name } = this.#options;
    if (this.#ended) {
      const said = this.lastWords ? ` It said: ${this.lastWords}` : '';
      return new ToolError('Io', `The MCP server ${name} ended before it could ${what}.${said}`, { details: { server: name } });
    }
    return new ToolError('Other', `The MCP server ${name} did not ${what}: ${messageOf(error)}`, { details: { server: name } });
  }
}

function offerOf(listed: readonly Tool[]): McpOffer {
  const tools = new Map<string, McpToolDefinition>();
  const faults: string[] = [];
  for (const tool of listed.slice(0, MOST_TOOLS)) {
    const read = readDefinition(tool);
    if ('fault' in read) faults.push(read.fault);
    else if (tools.has(read.name)) faults.push(`${read.name}: it is listed twice`);
    else tools.set(read.name, read);
  }
  if (listed.length > MOST_TOOLS) faults.push(`only the first ${MOST_TOOLS} tools are taken`);
  return { tools: [...tools.values()], faults };
}

function cancelled(): FlowError {
  return new FlowError('Cancelled', 'The run was cancelled.');
}

function progressText({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message ? `${count}: ${message.slice(0, LONGEST_LINE)}` : count;
}

function unreachable(name: string, error: unknown, lastWords: LastWords): Error {
  if (error instanceof FlowError) return error;
  const said = lastWords.text ? ` It said: ${lastWords.text}` : '';
  return new ToolError('Missing', `The MCP server ${name} cannot be reached: ${messageOf(error)}.${said}`, {
    retryable: true,
    details: { server: name },
  });
}

function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const absent = /^spawn (.+) ENOENT$/.exec(said)?.[1];
  const message = absent === undefined ? said : `there is no program ${absent} here (ENOENT)`;
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${message}${cause}`.slice(0, 1000);
}
