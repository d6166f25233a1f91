import type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
import type { McpServerSettings } from '#main/workspace/settings.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';
import type { McpAccess } from './access.ts';
import { approvalState, approvedTools, approveTools } from './approvals.ts';
import { callKey } from './call-key.ts';
import type { McpAnswer, McpOutcome } from './pending-call.ts';
import { changesOf, fingerprint, type McpToolDefinition } from './tool-definition.ts';
import { toolResult } from './tool-result.ts';

export interface McpToolPlace {
  readonly folder: string;
  readonly server: string;
  readonly settings: McpServerSettings;
  readonly servers: McpAccess;
}

const approveChoice = 'Approve the change and call it';
const refuseChoice = 'Refuse';
/** Maximum progress lines that a call may write to the run's log. */
const mostProgress = 100;

/**
 * A server's tool for flows, with the description that the user approved. The server's tools are listed before each call; if this tool has
 * changed, the user is asked first.
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
    // By default a JSON Schema allows additional fields.
    return { additionalProperties: true, ...this.#definition.input_schema, type: 'object' };
  }

  get output_schema(): JsonSchema | undefined {
    return this.#definition.output_schema;
  }

  get effect(): Tool['effect'] {
    return this.#readsOnly ? 'read' : 'write';
  }

  get idempotent(): boolean {
    return this.#definition.annotations.idempotent === true;
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
      if (payload !== approveChoice) throw new ToolError('Denied', `The user rejected the change of ${this.name}.`);
      if (changed) {
        // It may have changed again while the question was open.
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
    // The server ended after it asked. Repeat the call with the previous answers, unless the tool has changed.
    const changed = await this.#changed(ctx);
    if (changed) return this.#askAboutChange(changed, ctx);
    return this.#perform(input, ctx, answers);
  }

  async #perform(input: JsonObject, ctx: ToolContext, answers: readonly McpAnswer[] = []): Promise<Json> {
    const { server, servers } = this.#place;
    let lines = 0;
    const onProgress = (text: string) => {
      lines += 1;
      if (lines <= mostProgress) ctx.log(`${this.name}: ${text}`);
    };
    const key = callKey(ctx);
    let outcome = await servers.call(server, { key, tool: this.#definition.name, input, signal: ctx.signal, onProgress });
    for (const answer of answers) {
      if (outcome.type === 'result') break;
      outcome = (await servers.answer(server, key, answer, ctx.signal)) ?? outcome;
    }
    return this.#finished(outcome, ctx, answers);
  }

  /** The result, or the server's question to the user, with the previous answers in case the server ends before it gets this one. */
  #finished(outcome: McpOutcome, ctx: ToolContext, answers: readonly McpAnswer[]): Json {
    if (outcome.type === 'result') return toolResult(this.#definition, outcome.result);
    const { server } = this.#place;
    const schema: JsonSchema = {
      anyOf: [
        { title: 'Answer', ...(outcome.schema as JsonObject) },
        { title: 'Decline to answer', type: 'null' },
      ],
    };
    const question = `MCP server ${server} asks: ${outcome.message}`;
    return ctx.suspend({ kind: 'question', question, schema, mcp: { server, answers: [...answers] } }, schema);
  }

  /** The current tool if it differs from the approved one. Throws `UnknownTool` if it was removed, `Denied` if its approval was revoked. */
  async #changed(ctx: ToolContext): Promise<McpToolDefinition | null> {
    const { folder, server, settings, servers } = this.#place;
    const { tools } = await servers.offer(server, ctx.signal);
    const now = tools.find(({ name }) => name === this.#definition.name);
    if (!now) throw new ToolError('UnknownTool', `MCP server ${server} no longer has a tool ${this.#definition.name}.`);
    const standing = approvalState(now, await approvedTools(folder, server, settings));
    if (standing === 'new') throw new ToolError('Denied', `The approval of ${this.name} was revoked. Approve it again to use it.`);
    if (fingerprint(now) === fingerprint(this.#definition)) return null;
    if (standing === 'changed') return now;
    // Approved elsewhere since this run started.
    this.#definition = now;
    return null;
  }

  #askAboutChange(now: McpToolDefinition, ctx: ToolContext): never {
    const changes = changesOf(this.#definition, now).map((change) => `\n- ${change}`);
    const question = `MCP server ${this.#place.server} has changed its tool ${now.name} since you approved it:${changes.join('')}`;
    const choices = [approveChoice, refuseChoice];
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
