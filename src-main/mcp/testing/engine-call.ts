import type { ToolContext } from '#main/engine/ports/tool.ts';
import { approvedTools, approveTools } from '#main/mcp/approvals.ts';
import { McpTool } from '#main/mcp/mcp-tool.ts';
import { McpServers, type McpServersOptions } from '#main/mcp/servers.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';

/** Thrown by `suspend`, with the question. */
export class Asked extends Error {
  readonly value: JsonObject;
  readonly schema: JsonSchema | undefined;

  constructor(value: Json, schema?: JsonSchema) {
    super('suspended');
    this.value = value as JsonObject;
    this.schema = schema;
  }
}

/** A server in a folder and calls of its tools like the engine makes them, after approving what it lists first. */
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

  /** A currently listed tool, approved. */
  async tool(name: string): Promise<McpTool> {
    const { tools } = await this.servers.offer('it');
    const definition = tools.find((tool) => tool.name === name);
    if (!definition) throw new Error(`${name} is not one of ${tools.map((tool) => tool.name).join(', ')}`);
    const others = (await approvedTools(this.#folder, 'it', this.#settings)).filter((tool) => tool.name !== name);
    await approveTools(this.#folder, 'it', this.#settings, [...others, definition]);
    return new McpTool(definition, { folder: this.#folder, server: 'it', settings: this.#settings, servers: this.servers });
  }

  /** The result or the question of a call. `on` identifies the calls of a node. */
  async call(tool: McpTool, input: JsonObject = {}, on: Partial<ToolContext> = {}): Promise<Json | Asked> {
    return orAsked(tool.call(input, this.#context(on)));
  }

  async resume(tool: McpTool, asked: Json | Asked, payload: Json, on: Partial<ToolContext> = {}): Promise<Json | Asked> {
    if (!(asked instanceof Asked)) throw new Error(`expected a question, got ${JSON.stringify(asked)}`);
    return orAsked(tool.resume({}, payload, this.#context({ ...on, asked: asked.value })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.servers.close();
  }

  /** The only part of the context that an MCP tool uses. */
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
