import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult, ElicitResult, Progress, Tool } from '@modelcontextprotocol/sdk/types.js';
import { optionalPackage } from '#main/platform/optional-package.ts';
import { version } from '#main/version.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { type McpAnswer, type McpOutcome, PendingMcpCall } from './pending-call.ts';
import type { StderrTail } from './stderr-tail.ts';
import { type McpToolDefinition, readDefinition } from './tool-definition.ts';
import { makeTransport, type ServerPlace, type ServerTransport } from './transport.ts';

/** A tool call of a connection. */
export interface McpCall {
  /** Identifies the call within the connection, so that an answer finds the call that asked. */
  readonly key: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** The tools that a server currently lists. */
export interface McpOffer {
  readonly tools: readonly McpToolDefinition[];
  /** Why other listed tools cannot be used. */
  readonly faults: readonly string[];
}

/** What a server offers to read. */
export interface McpResources {
  readonly resources: readonly (McpDescribed & { readonly uri: string })[];
  /** URIs with `{NAME}` in them (RFC 6570). */
  readonly templates: readonly (McpDescribed & { readonly uri_template: string })[];
}

interface McpDescribed {
  readonly name: string;
  readonly description?: string;
  readonly media_type?: string;
}

/** A prompt that a server makes from its arguments. */
export interface McpPrompt extends McpDescribed {
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

export interface ConnectionOptions extends ServerPlace {
  readonly name: string;
  readonly settings: McpServerSettings;
  /** Called when the server reports that its tools have changed, and when the connection has ended. */
  readonly onChange: () => void;
}

/** Time limit for starting and initializing a server in milliseconds; some are downloaded first. */
const startPatience = 60_000;
/** How long a program may take to exit on its own, in milliseconds. */
const closePatience = 400;
/** Default timeout of a call without progress, in milliseconds. */
const callPatience = 60_000;
/** Maximum number of pages and of tools to read. */
const mostPages = 50;
const mostTools = 512;
/** Maximum characters of a progress line and of a question to the user. */
const longestLine = 1000;
const longestQuestion = 8000;
/** Debounce time of tool list changes in milliseconds; some servers report one after each listing. */
const newsRest = 500;
/** The maximum delay of a timer; calls have their own timers. */
const neverMs = 2 ** 31 - 1;

/**
 * A connection to a server; it is not reopened after its end. The server may ask the user questions (elicitation). Models (sampling) and
 * folders (roots) are not offered, so the SDK rejects such requests.
 */
export class McpConnection {
  readonly server: { readonly name: string; readonly version: string };
  readonly #options: ConnectionOptions;
  readonly #client: Client;
  readonly #way: ServerTransport;
  readonly #calls = new Map<string, PendingMcpCall>();
  #offer: Promise<McpOffer> | undefined;
  #changeTimer: NodeJS.Timeout | undefined;
  /** Whether calls run one after another, so that it is clear which of them asks. */
  #oneByOne = false;
  /** Number of questions not assigned to a call yet, and the callbacks that make them check again. */
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

  /** Starts or connects to the server. Throws `ToolError` `Missing` if it is not available, and the errors of `makeTransport`. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const [{ Client: SdkClient }, way] = await Promise.all([
      optionalPackage('@modelcontextprotocol/sdk', 'MCP servers', () => import('@modelcontextprotocol/sdk/client/index.js')),
      makeTransport(options.name, options.settings, options),
    ]);
    const { ElicitRequestSchema, ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const client = new SdkClient({ name: 'pravah-studio', version }, { capabilities: { elicitation: { form: {} } } });
    try {
      await client.connect(way.transport, { timeout: startPatience, signal });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw unreachable(options.name, error, way.stderrTail);
    }
    const connection = new McpConnection(options, client, way);
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => connection.#listChanged());
    client.setRequestHandler(ElicitRequestSchema, ({ params }, extra) => connection.#elicited(params, extra.signal));
    client.onclose = () => connection.#end();
    // Ignore malformed messages; pending requests have their own timeouts.
    client.onerror = () => undefined;
    return connection;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The end of the server's standard error output. */
  get stderrTail(): string {
    return this.#way.stderrTail.text;
  }

  /** Returns the server's tools; listed again after the server reports a change. Throws `ToolError`. */
  offer(): Promise<McpOffer> {
    this.#offer ??= this.#list().catch((error: unknown) => {
      this.#offer = undefined;
      throw this.#failure('list its tools', error);
    });
    return this.#offer;
  }

  /** Lists the server's resources and the templates of others; null if it has none at all. Throws `ToolError`. */
  async resources(): Promise<McpResources | null> {
    if (!this.#client.getServerCapabilities()?.resources) return null;
    try {
      const resources = await pages(async (cursor) => {
        const { resources: items, nextCursor } = await this.#client.listResources(cursor, listing);
        return { items, nextCursor };
      });
      const templates = await pages(async (cursor) => {
        const { resourceTemplates: items, nextCursor } = await this.#client.listResourceTemplates(cursor, listing);
        return { items, nextCursor };
      });
      return {
        resources: resources.map(({ uri, name, description, mimeType }) => ({ uri, name, ...described(description, mimeType) })),
        templates: templates.map(({ uriTemplate, name, description, mimeType }) => ({
          uri_template: uriTemplate,
          name,
          ...described(description, mimeType),
        })),
      };
    } catch (error) {
      throw this.#failure('list its resources', error);
    }
  }

  /** Lists the server's prompts with their arguments; null if it has none at all. Throws `ToolError`. */
  async prompts(): Promise<readonly McpPrompt[] | null> {
    if (!this.#client.getServerCapabilities()?.prompts) return null;
    try {
      const prompts = await pages(async (cursor) => {
        const { prompts: items, nextCursor } = await this.#client.listPrompts(cursor, listing);
        return { items, nextCursor };
      });
      return prompts.map(({ name, description, arguments: taken = [] }) => ({
        name,
        ...described(description),
        arguments: taken.map(({ name: argument, description: meaning, required }) => ({
          name: argument,
          ...described(meaning),
          required: required === true,
        })),
      }));
    } catch (error) {
      throw this.#failure('list its prompts', error);
    }
  }

  /** Calls a tool. Throws `ToolError`, or `FlowError` `Cancelled` when the signal is aborted, which also notifies the server. */
  async call(call: McpCall): Promise<McpOutcome> {
    if (this.#oneByOne) return this.#inTurn(() => this.#start(call));
    return this.#start(call);
  }

  /** Answers the question of a waiting call; null if it no longer waits. */
  answer(key: string, answer: McpAnswer, signal: AbortSignal): Promise<McpOutcome> | null {
    const call = this.#calls.get(key);
    if (!call) return null;
    call.reply(answer);
    return this.#outcome(key, call, signal);
  }

  /** Cancels calls, such as those whose questions will not be answered, and notifies the server. */
  forget(meant: (key: string) => boolean): void {
    for (const [key, call] of this.#calls) {
      if (!meant(key)) continue;
      this.#calls.delete(key);
      call.cancel(cancelled());
    }
    this.#stir();
  }

  /** Closes the connection and ends the server's program. */
  async close(): Promise<void> {
    const reason = new ToolError('Missing', `MCP server ${this.#options.name} was stopped.`);
    for (const call of this.#calls.values()) call.cancel(reason);
    // Don't wait long for a program that keeps running after its input has ended.
    const pid = this.#way.pid();
    const late = pid === null ? undefined : setTimeout(() => process.kill(pid, 'SIGTERM'), closePatience);
    await this.#client.close().catch(() => undefined);
    clearTimeout(late);
    this.#end();
  }

  async #start({ key, tool, input, signal, onProgress }: McpCall): Promise<McpOutcome> {
    const { name, settings } = this.#options;
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const patience = settings.timeout === undefined ? callPatience : settings.timeout * 1000;
    const call = new PendingMcpCall(
      `${tool} of the MCP server ${name}`,
      patience,
      (ending, onSignOfLife) =>
        this.#client.request({ method: 'tools/call', params: { name: tool, arguments: { ...input } } }, CallToolResultSchema, {
          signal: ending,
          timeout: neverMs,
          onprogress: (progress) => {
            onSignOfLife();
            onProgress(progressText(progress));
          },
        }) as Promise<CallToolResult>,
    );
    this.#calls.set(key, call);
    return this.#outcome(key, call, signal);
  }

  async #outcome(key: string, call: PendingMcpCall, signal: AbortSignal): Promise<McpOutcome> {
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

  /** Runs calls one after another. A call that asks the user lets the next one start. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #list(): Promise<McpOffer> {
    const { ListToolsResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const listed: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && listed.length <= mostTools; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.#client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout: startPatience });
      listed.push(...answer.tools);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return offerOf(listed);
  }

  #listChanged(): void {
    this.#offer = undefined;
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = undefined;
      this.#options.onChange();
    }, newsRest).unref();
  }

  /**
   * Handles a question. The server does not report which call it belongs to. With several pending calls it becomes clear once the others have
   * ended, unless as many calls ask: then the questions are cancelled. After the first ambiguous question, calls run one after another.
   */
  async #elicited(params: { message: string; requestedSchema?: unknown }, cancelled: AbortSignal): Promise<ElicitResult> {
    const working = () => [...this.#calls.values()].filter((call) => !call.asking);
    if (working().length > 1) this.#oneByOne = true;
    this.#questions += 1;
    this.#stir();
    cancelled.addEventListener('abort', () => this.#stir(), { once: true });
    while (!cancelled.aborted && this.#questions < working().length) await new Promise<void>((stirred) => this.#held.push(stirred));
    const [call, another] = working();
    this.#questions -= 1;
    if (cancelled.aborted || !call || another) return { action: 'cancel' };
    return call.ask(params.message.slice(0, longestQuestion), params.requestedSchema as Json, cancelled);
  }

  /** Makes unassigned questions check again which call they belong to. */
  #stir(): void {
    for (const stirred of this.#held.splice(0)) stirred();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#changeTimer);
    this.#options.onChange();
  }

  #failure(what: string, error: unknown): Error {
    if (error instanceof ToolError || error instanceof FlowError) return error;
    const { name } = this.#options;
    if (this.#ended) {
      const said = this.stderrTail ? ` Its standard error: ${this.stderrTail}` : '';
      return new ToolError('Io', `MCP server ${name} ended before it could ${what}.${said}`, { details: { server: name } });
    }
    return new ToolError('Other', `MCP server ${name} did not ${what}: ${messageOf(error)}`, { details: { server: name } });
  }
}

const listing = { timeout: startPatience };

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

/** Reads the pages of a list, up to `mostPages` and `mostTools` entries. */
async function pages<Item>(read: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>): Promise<Item[]> {
  const listed: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && listed.length < mostTools; page += 1) {
    const { items, nextCursor } = await read(cursor === undefined ? {} : { cursor });
    listed.push(...items);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return listed.slice(0, mostTools);
}

function described(description: string | undefined, mediaType?: string): Pick<McpDescribed, 'description' | 'media_type'> {
  return { ...(description && { description }), ...(mediaType && { media_type: mediaType }) };
}

function offerOf(listed: readonly Tool[]): McpOffer {
  const tools = new Map<string, McpToolDefinition>();
  const faults: string[] = [];
  for (const tool of listed.slice(0, mostTools)) {
    const read = readDefinition(tool);
    if ('fault' in read) faults.push(read.fault);
    else if (tools.has(read.name)) faults.push(`${read.name}: listed twice`);
    else tools.set(read.name, read);
  }
  if (listed.length > mostTools) faults.push(`only the first ${mostTools} tools are used`);
  return { tools: [...tools.values()], faults };
}

function cancelled(): FlowError {
  return new FlowError('Cancelled', 'The run was cancelled.');
}

function progressText({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message ? `${count}: ${message.slice(0, longestLine)}` : count;
}

function unreachable(name: string, error: unknown, stderrTail: StderrTail): Error {
  if (error instanceof FlowError) return error;
  const said = stderrTail.text ? ` Its standard error: ${stderrTail.text}` : '';
  return new ToolError('Missing', `Can't reach MCP server ${name}: ${messageOf(error)}.${said}`, {
    retryable: true,
    details: { server: name },
  });
}

function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const absent = /^spawn (.+) ENOENT$/.exec(said)?.[1];
  const message = absent === undefined ? said : `program ${absent} not found (ENOENT)`;
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${message}${cause}`.slice(0, 1000);
}
