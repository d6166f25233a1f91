import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { readInput, sentInput } from '#main/models/call-input.ts';
import { echoedParts } from '#main/models/echoed-parts.ts';
import { modelResult } from '#main/models/image-part.ts';
import { systemTexts } from '#main/models/message-text.ts';
import { promptContract } from '#main/models/prompt-contract.ts';
import type { ProviderCall, StreamEnd } from '#main/models/provider-client.ts';
import { reportedUsage } from '#main/models/reported-usage.ts';
import { anthropicOutput } from '#main/models/schema/dialects.ts';
import { refusesSchema } from '#main/models/schema/schema-refused.ts';
import { inputSchema, type SentSchema, sentSchema } from '#main/models/schema/sent-schema.ts';
import { sentParams } from '#main/models/sent-params.ts';
import type { Connection, Vendor } from '#main/models/vendor.ts';
import { optionalPackage } from '#main/platform/optional-package.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { Message, MessagePart, MessagePartOf } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

type Block = Anthropic.ContentBlockParam;
type Event = Anthropic.RawMessageStreamEvent;

/** `anthropic://MODEL`: Anthropic's Messages API by its own client. */
export const anthropic: Vendor = {
  name: 'anthropic',
  exchange,
  count,
  async list(connection) {
    const names: string[] = [];
    for await (const { id } of (await clientOf(connection)).models.list({ limit: 1000 })) names.push(id);
    return names;
  },
};

async function clientOf({ endpoint, http }: Connection): Promise<Anthropic> {
  const { default: Client } = await optionalPackage('@anthropic-ai/sdk', 'anthropic://', () => import('@anthropic-ai/sdk'));
  return new Client({ apiKey: endpoint.key, baseURL: endpoint.base_url, fetch: http.fetch, maxRetries: 0, logLevel: 'off' });
}

async function exchange(model: string, call: ProviderCall): Promise<StreamEnd> {
  const { request } = call;
  const client = await clientOf(call);
  const names = new AdvertisedNames(request.tools);
  const { output_schema } = request;
  const sent = output_schema !== undefined && holdsToSchema(model) ? sentSchema(output_schema, anthropicOutput) : undefined;
  let held = sent?.exact === true ? sent : undefined;
  const send = () => {
    const system = [...systemTexts(request.messages), ...(output_schema !== undefined && !held ? [promptContract(output_schema)] : [])];
    return client.messages.create({
      max_tokens: defaultMaxTokens(model),
      ...sentParams(request, { max_tokens: 'max_tokens', top_p: 'top_p', top_k: 'top_k' }),
      model,
      stream: true,
      messages: conversation(request.messages, names),
      ...(system.length > 0 && { system: system.join('\n\n') }),
      ...(request.tools.length > 0 && { tools: toolsOf(request, names), ...choiceOf(request) }),
      ...(held && { output_config: { ...outputOptions(request), format: formatOf(held) } }),
    });
  };
  const stream = await send().catch((error: unknown) => {
    if (!held || !refusesSchema(call.http)) throw error;
    held = undefined;
    return send();
  });
  const reading = new Reading(call, names);
  for await (const event of stream) reading.addEvent(event);
  if (held) call.answer.reviseJson(held.restore);
  return reading.end;
}

/** Anthropic's token counting: the request as it would be sent. */
async function count(model: string, call: ProviderCall): Promise<number> {
  const { request } = call;
  const client = await clientOf(call);
  const names = new AdvertisedNames(request.tools);
  const { output_schema } = request;
  const sent = output_schema !== undefined && holdsToSchema(model) ? sentSchema(output_schema, anthropicOutput) : undefined;
  const told = output_schema !== undefined && sent?.exact !== true ? [promptContract(output_schema)] : [];
  const system = [...systemTexts(request.messages), ...told];
  const { input_tokens } = await client.messages.countTokens({
    model,
    messages: conversation(request.messages, names),
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...(request.tools.length > 0 && { tools: toolsOf(request, names) }),
    ...(sent?.exact === true && { output_config: { format: formatOf(sent) } }),
  });
  return input_tokens;
}

/** Models before Claude 4.5 (Opus: 4.1) do not support structured outputs. Source: Anthropic, Structured outputs, supported models. */
const holdsToSchema = (model: string) =>
  !/^claude-(instant|[123]\b|3-|v\d)/.test(model) && !/^claude-(sonnet|opus)-4(-0|-20\d{6})?$/.test(model);

/** The protocol requires a limit. The oldest models accept at most 4,096. */
const defaultMaxTokens = (model: string) => (/^claude-(instant|2|3-(opus|sonnet|haiku))/.test(model) ? 4096 : 8192);

/** A call cannot be required of a model that thinks first. */
function choiceOf({ tool_choice, params }: ModelRequest): { tool_choice?: Anthropic.ToolChoice } {
  if (tool_choice === 'none') return { tool_choice: { type: 'none' } };
  return tool_choice === 'required' && params.options?.thinking === undefined ? { tool_choice: { type: 'any' } } : {};
}

function outputOptions({ params }: ModelRequest): Record<string, Json> {
  const given = params.options?.output_config;
  return isJsonObject(given) ? { ...given } : {};
}

function formatOf({ schema }: SentSchema): Anthropic.JSONOutputFormat {
  return { type: 'json_schema', schema: { ...schema } };
}

function toolsOf({ tools }: ModelRequest, names: AdvertisedNames): Anthropic.Tool[] {
  return tools.map(({ name, description, input_schema }) => ({
    name: names.of(name),
    description,
    input_schema: { ...inputSchema(input_schema), type: 'object' },
  }));
}

/** Messages with alternating roles: consecutive user messages are merged, with the tool results of a turn first. */
function conversation(messages: readonly Message[], names: AdvertisedNames): Anthropic.MessageParam[] {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = [...thoughts(message), ...message.content.flatMap((part) => block(part, names))];
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

/** Signed thinking blocks are sent back unchanged. */
function thoughts({ role, vendor }: Message): readonly Block[] {
  return role === 'assistant' ? echoedParts<Block>(vendor?.anthropic) : [];
}

function block(part: MessagePart, names: AdvertisedNames): Block[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [imageBlock(part)];
    case 'tool_call':
      return [{ type: 'tool_use', id: part.tool_call_id, name: names.of(part.tool), input: sentInput(part.input) }];
    case 'tool_result': {
      const { text, images } = modelResult(part);
      const content = images.length === 0 ? text : [{ type: 'text' as const, text }, ...images.map(imageBlock)];
      return [{ type: 'tool_result', tool_use_id: part.tool_call_id, content, ...(part.is_error && { is_error: true }) }];
    }
    case 'reasoning':
      return [];
  }
}

function imageBlock({ media_type, data }: MessagePartOf<'image'>): Anthropic.ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: media_type as Anthropic.Base64ImageSource['media_type'], data } };
}

type Thought = { type: 'thinking'; thinking: string; signature: string } | { type: 'redacted_thinking'; data: string };

/** Handles the events of an answer. */
class Reading {
  readonly #call: ProviderCall;
  readonly #names: AdvertisedNames;
  readonly #calls = new Map<number, { id: string; name: string; input: string }>();
  readonly #thoughts = new Map<number, Thought>();
  #usage: TokenUsage = { tokens_in: 0, tokens_out: 0 };
  #reason: string | null = null;
  #stopped = false;

  constructor(call: ProviderCall, names: AdvertisedNames) {
    this.#call = call;
    this.#names = names;
  }

  get end(): StreamEnd {
    const finish = !this.#stopped
      ? undefined
      : this.#reason === 'max_tokens' || this.#reason === 'model_context_window_exceeded'
        ? 'length'
        : 'complete';
    const signed = [...this.#thoughts.values()].filter((thought) => thought.type === 'redacted_thinking' || thought.signature !== '');
    return { finish, usage: this.#usage, ...(signed.length > 0 && { vendor: { anthropic: signed } }) };
  }

  addEvent(event: Event): void {
    switch (event.type) {
      case 'message_start': {
        const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = event.message.usage;
        const cached = (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
        this.#usage = reportedUsage(input_tokens + cached, output_tokens, { cached: cache_read_input_tokens });
        break;
      }
      case 'content_block_start':
        this.#startBlock(event.index, event.content_block);
        break;
      case 'content_block_delta':
        this.#delta(event.index, event.delta);
        break;
      case 'content_block_stop': {
        const call = this.#calls.get(event.index);
        if (call) this.#call.answer.call(this.#names.tool(call.name), readInput(call.input), call.id);
        break;
      }
      case 'message_delta':
        this.#reason = event.delta.stop_reason;
        this.#usage = { ...this.#usage, tokens_out: event.usage.output_tokens };
        break;
      case 'message_stop':
        this.#stopped = true;
        break;
    }
  }

  #startBlock(index: number, begun: Anthropic.RawContentBlockStartEvent['content_block']): void {
    if (begun.type === 'tool_use') this.#calls.set(index, { id: begun.id, name: begun.name, input: '' });
    if (begun.type === 'text') this.#call.answer.append('text', begun.text);
    if (begun.type === 'thinking') this.#thoughts.set(index, { type: 'thinking', thinking: begun.thinking, signature: begun.signature });
    if (begun.type === 'redacted_thinking') this.#thoughts.set(index, { type: 'redacted_thinking', data: begun.data });
  }

  #delta(index: number, delta: Anthropic.RawContentBlockDelta): void {
    const thought = this.#thoughts.get(index);
    switch (delta.type) {
      case 'text_delta':
        this.#call.answer.append('text', delta.text);
        break;
      case 'thinking_delta':
        if (thought?.type === 'thinking') thought.thinking += delta.thinking;
        this.#call.answer.append('reasoning', delta.thinking);
        break;
      case 'signature_delta':
        if (thought?.type === 'thinking') thought.signature += delta.signature;
        break;
      case 'input_json_delta': {
        const call = this.#calls.get(index);
        if (call) call.input += delta.partial_json;
        break;
      }
    }
  }
}
