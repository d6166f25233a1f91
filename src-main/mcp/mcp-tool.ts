import type { McpAccess } from '#main/mcp/access.ts';
import { approvedTools, approveTools, standingOf } from '#main/mcp/approvals.ts';
import { callKey } from '#main/mcp/call-key.ts';
import type { McpAnswer, McpOutcome } from '#main/mcp/call-under-way.ts';
import { changesOf, fingerprint, type McpToolDefinition } from '#main/mcp/tool-definition.ts';
import { toolResult } from '#main/mcp/tool-result.ts';
import type { Tool, ToolContext } from '#main/tools/tool.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/runtime/error.ts';

export interface McpToolPlace {
  readonly folder: string;
  readonly server: string;
  readonly settings: McpServerSettings;
  readonly servers: McpAccess;
}

const APPROVE = 'Approve the change and call it';
const REFUSE = 'Refuse';
/** Lines of progress that one call may write into the run's log. */
const MOST_PROGRESS = 100;

/**
 * A server's tool as flows call it, in the words that the user has approved. The server is asked for its list before each call: where the tool
 * says something else by now, the user is asked first.
 */
export class McpTool implements Tool {
  readonly name: string;
  #definition: McpToolDefinition;
  readonly #place: McpToolPlace;

  constructor(definition: McpToolDefinition, place: McpToolPlace) {
    this.name = `mcp:${place.server}/${definition.name}`;
    this.#definition = definition;
    this.#place = place;
  }

  get description(): string {
    return this.#definition.description;
  }

  get input_schema(): JsonSchema {
    // A schema that does not say so takes fields that it does not name.
    return { additionalProperties: true, ...this.#definition.input_schema, type: 'object' };
  }

  get output_schema(): JsonSchema | undefined {
    return this.#definition.output_schema;
  }

  get effect(): Tool['effect'] {
    return this.#readsOnly ? 'read' : 'write';
  }

  get approve(): Tool['approve'] {
    return this.#readsOnly ? 'never' : 'always';
  }

  get #readsOnly(): boolean {
    return this.#definition.annotations.read_only === true;
  }

  async call(input: JsonObject, ctx: ToolContext): Promise<Json> {
    const changed = await this.#changed(ctx);
    if (changed) return this.#askAboutChange(changed, ctx);
    return this.#perform(input, ctx);
  }

  async resume(input: JsonObject, payload: Json, ctx: ToolContext): Promise<Json> {
    const asked = isJsonObject(ctx.asked) ? ctx.asked : {};
    if (isJsonObject(asked.change)) {
      const changed = await this.#changed(ctx);
      if (payload !== APPROVE) throw new ToolError('Denied', `The person refused the change of ${this.name}.`);
      if (changed) {
        // It may have changed once more while the question waited.
        if (fingerprint(changed) !== asked.change.fingerprint) return this.#askAboutChange(changed, ctx);
        await this.#approve(changed);
      }
      return this.#perform(input, ctx);
    }
    const answer = isJsonObject(payload) ? payload : null;
    const { server, servers } = this.#place;
    const answers = [...answersIn(asked), answer];
    const outcome = await servers.answer(server, callKey(ctx), answer, ctx.signal);
    if (outcome) return this.#finished(outcome, ctx, answers);
    // The server has ended since it asked. Called anew it asks again, and is given what was answered; if it says the same of itself.
    const changed = await this.#changed(ctx);
    if (changed) return this.#askAboutChange(changed, ctx);
    return this.#perform(input, ctx, answers);
  }

  async #perform(input: JsonObject, ctx: ToolContext, answers: readonly McpAnswer[] = []): Promise<Json> {
    const { server, servers } = this.#place;
    let lines = 0;
    const onProgress = (text: string) => {
      lines += 1;
      if (lines <= MOST_PROGRESS) ctx.log(`${this.name}: ${text}`);
    };
    const key = callKey(ctx);
    let outcome = await servers.call(server, { key, tool: this.#definition.name, input, signal: ctx.signal, onProgress });
    for (const answer of answers) {
      if (outcome.type === 'result') break;
      outcome = (await servers.answer(server, key, answer, ctx.signal)) ?? outcome;
    }
    return this.#finished(outcome, ctx, answers);
  }

  /** The result, or the server's question to the user, with what was answered before it in case that the server does not live to see the answer. */
  #finished(outcome: McpOutcome, ctx: ToolContext, answers: readonly McpAnswer[]): Json {
    if (outcome.type === 'result') return toolResult(this.#definition, outcome.result);
    const { server } = this.#place;
    const schema: JsonSchema = {
      anyOf: [
        { title: 'Answer', ...(outcome.schema as JsonObject) },
        { title: 'Decline to answer', type: 'null' },
      ],
    };
    const question = `The MCP server ${server} asks: ${outcome.message}`;
    return ctx.suspend({ kind: 'question', question, schema, mcp: { server, answers: [...answers] } }, schema);
  }

  /** The tool as the server lists it now, where that is not what was approved. Throws `UnknownTool` when it is gone, `Denied` when its approval is. */
  async #changed(ctx: ToolContext): Promise<McpToolDefinition | null> {
    const { folder, server, settings, servers } = this.#place;
    const { tools } = await servers.offer(server, ctx.signal);
    const now = tools.find(({ name }) => name === this.#definition.name);
    if (!now) throw new ToolError('UnknownTool', `The MCP server ${server} no longer has a tool ${this.#definition.name}.`);
    const standing = standingOf(now, await approvedTools(folder, server, settings));
    if (standing === 'new') throw new ToolError('Denied', `The approval of ${this.name} was withdrawn. Approve it again to use it.`);
    if (fingerprint(now) === fingerprint(this.#definition)) return null;
    if (standing === 'changed') return now;
    // Approved elsewhere since this run began.
    this.#definition = now;
    return null;
  }

  #askAboutChange(now: McpToolDefinition, ctx: ToolContext): never {
    const changes = changesOf(this.#definition, now).map((change) => `\n- ${change}`);
    const question = `The MCP server ${this.#place.server} has changed its tool ${now.name} since you approved it:${changes.join('')}`;
    const choices = [APPROVE, REFUSE];
    return ctx.suspend({ kind: 'question', question, choices, change: { fingerprint: fingerprint(now) } }, { enum: choices });
  }

  async #approve(now: McpToolDefinition): Promise<void> {
    const { folder, server, settings } = this.#place;
    const others = (await approvedTools(folder, server, settings)).filter(({ name }) => name !== now.name);
    await approveTools(folder, server, settings, [...others, now]);
    this.#definition = now;
  }
}

function answersIn(asked: JsonObject): McpAnswer[] {
  const mcp = isJsonObject(asked.mcp) ? asked.mcp : {};
  return Array.isArray(mcp.answers) ? (mcp.answers as McpAnswer[]) : [];
}
