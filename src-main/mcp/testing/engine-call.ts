import { approvedTools, approveTools } from '#main/mcp/approvals.ts';
import { McpTool } from '#main/mcp/mcp-tool.ts';
import { McpServers, type McpServersOptions } from '#main/mcp/servers.ts';
import type { ToolContext } from '#main/tools/tool.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';

/** What the engine was asked to ask. */
export class Asked extends Error {
  readonly value: JsonObject;
  readonly schema: JsonSchema | undefined;

  constructor(value: Json, schema?: JsonSchema) {
    super('suspended');
    this.value = value as JsonObject;
    this.schema = schema;
  }
}

/** One server in a folder, and calls of its tools as the engine makes them: with approval of what it lists first. */
export class ServerUnderTest {
  readonly servers: McpServers;
  readonly log: string[] = [];
  readonly #folder: string;
  readonly #settings: McpServerSettings;

  constructor(folder: string, settings: McpServerSettings, options: Partial<McpServersOptions> = {}) {
    this.#folder = folder;
    this.#settings = settings;
    this.servers = new McpServers({ folder, servers: { it: settings }, readSecrets: async () => ({}), rests: [0], ...options });
  }

  /** A tool as the server lists it now, approved. */
  async tool(name: string): Promise<McpTool> {
    const { tools } = await this.servers.offer('it');
    const definition = tools.find((tool) => tool.name === name);
    if (!definition) throw new Error(`there is no ${name} among ${tools.map((tool) => tool.name).join(', ')}`);
    const others = (await approvedTools(this.#folder, 'it', this.#settings)).filter((tool) => tool.name !== name);
    await approveTools(this.#folder, 'it', this.#settings, [...others, definition]);
    return new McpTool(definition, { folder: this.#folder, server: 'it', settings: this.#settings, servers: this.servers });
  }

  /** The result of a call, or what it asks. `on` makes the calls of one run's node. */
  async call(tool: McpTool, input: JsonObject = {}, on: Partial<ToolContext> = {}): Promise<Json | Asked> {
    return orAsked(tool.call(input, this.#context(on)));
  }

  async resume(tool: McpTool, asked: Json | Asked, payload: Json, on: Partial<ToolContext> = {}): Promise<Json | Asked> {
    if (!(asked instanceof Asked)) throw new Error(`nothing was asked: ${JSON.stringify(asked)}`);
    return orAsked(tool.resume({}, payload, this.#context({ ...on, asked: asked.value })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.servers.close();
  }

  /** An MCP tool looks at no more of its context than this. */
  #context(on: Partial<ToolContext>): ToolContext {
    const suspend = (value: Json, schema?: JsonSchema): never => {
      throw new Asked(value, schema);
    };
    const log = (line: string) => void this.log.push(line);
    return { node: 'N', tool_call_id: 'call', signal: new AbortController().signal, suspend, log, ...on } as ToolContext;
  }
}

async function orAsked(work: Promise<Json>): Promise<Json | Asked> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Asked) return error;
    throw error;
  }
}
