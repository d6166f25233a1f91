import type OpenAI from 'openai';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { readInput, sentInput } from '#main/models/call-input.ts';
import { echoedParts } from '#main/models/echoed-parts.ts';
import { modelResult } from '#main/models/image-part.ts';
import { InBandError } from '#main/models/in-band-error.ts';
import { systemTexts } from '#main/models/message-text.ts';
import { openAiClient, openAiNames } from '#main/models/openai-client.ts';
import { toolChoice } from '#main/models/openai-tool-choice.ts';
import type { ProviderCall, StreamEnd } from '#main/models/provider-client.ts';
import { reportedUsage } from '#main/models/reported-usage.ts';
import { openAiStrict } from '#main/models/schema/dialects.ts';
import { refusesSchema } from '#main/models/schema/schema-refused.ts';
import { inputSchema, type SentSchema, sentSchema } from '#main/models/schema/sent-schema.ts';
import { sentParams } from '#main/models/sent-params.ts';
import type { Vendor } from '#main/models/vendor.ts';
import { type Json, toJson } from '#shared/json.ts';
import type { Message, MessagePart, MessagePartOf } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

type InputItem = OpenAI.Responses.ResponseInputItem;
type InputContent = OpenAI.Responses.ResponseInputContent;
type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

/** `openai://MODEL`: OpenAI's Responses API by its own client, without storing anything at the vendor. */
export const openAi: Vendor = {
  name: 'openai',
  exchange,
  count,
  list: async (connection) => openAiNames(await openAiClient(connection)),
};

async function exchange(model: string, call: ProviderCall): Promise<StreamEnd> {
  const { request } = call;
  const client = await openAiClient(call);
  const names = new AdvertisedNames(request.tools);
  const schemas = new Map(request.tools.map(({ name, input_schema }) => [name, sentSchema(inputSchema(input_schema), openAiStrict)]));
  const output = request.output_schema === undefined ? undefined : sentSchema(request.output_schema, openAiStrict);
  const send = (strictly: boolean) =>
    client.responses.create({
      ...(thinks(model) && { include: ['reasoning.encrypted_content' as const] }),
      ...sentParams(request, { max_tokens: 'max_output_tokens', top_p: 'top_p' }),
      model,
      stream: true,
      store: false,
      input: request.messages.flatMap((message) => inputItems(message, names)),
      ...instructions(request.messages),
      ...(output && {
        text: { format: { type: 'json_schema', name: 'output', schema: { ...output.schema }, strict: strictly && output.exact } },
      }),
      ...(schemas.size > 0 && { tools: toolsOf(request, names, schemas, strictly), ...toolChoice(request) }),
    });
  const stream = await send(true).catch((error: unknown) => {
    if (!refusesSchema(call.http)) throw error;
    return send(false);
  });
  const reading = new Reading(call, names, schemas);
  for await (const event of stream) reading.addEvent(event);
  if (output) call.answer.reviseJson(output.restore);
  return reading.end;
}

/** OpenAI's input token count: the request as it would be sent. */
async function count(model: string, call: ProviderCall): Promise<number> {
  const { request } = call;
  const client = await openAiClient(call);
  const names = new AdvertisedNames(request.tools);
  const schemas = new Map(request.tools.map(({ name, input_schema }) => [name, sentSchema(inputSchema(input_schema), openAiStrict)]));
  const output = request.output_schema === undefined ? undefined : sentSchema(request.output_schema, openAiStrict);
  const { input_tokens } = await client.responses.inputTokens.count({
    model,
    input: request.messages.flatMap((message) => inputItems(message, names)),
    ...instructions(request.messages),
    ...(output && { text: { format: { type: 'json_schema', name: 'output', schema: { ...output.schema }, strict: output.exact } } }),
    ...(schemas.size > 0 && { tools: toolsOf(request, names, schemas, true) }),
  });
  return input_tokens;
}

/** Reasoning models return encrypted reasoning; others reject a request for it. */
const thinks = (model: string) => /^(o\d|gpt-[5-9]|gpt-\d\d|codex|gpt-oss)/.test(model);

function instructions(messages: readonly Message[]): { instructions?: string } {
  const system = systemTexts(messages);
  return system.length > 0 ? { instructions: system.join('\n\n') } : {};
}

function toolsOf(
  { tools }: ModelRequest,
  names: AdvertisedNames,
  schemas: ReadonlyMap<string, SentSchema>,
  strictly: boolean,
): OpenAI.Responses.FunctionTool[] {
  return tools.map(({ name, description }) => {
    const { schema = {}, exact = false } = schemas.get(name) ?? {};
    return { type: 'function', name: names.of(name), description, parameters: { ...schema }, strict: strictly && exact };
  });
}

/** Converts a message to input items: its text, and a separate item for each call and result. */
function inputItems(message: Message, names: AdvertisedNames): InputItem[] {
  if (message.role === 'system') return [];
  if (message.role === 'user') return [{ role: 'user', content: message.content.flatMap(inputContent) }];
  const thoughts = echoedParts<InputItem>(message.vendor?.openai);
  return [...thoughts, ...message.content.flatMap((part) => inputItem(part, names))];
}

function inputItem(part: MessagePart, names: AdvertisedNames): InputItem[] {
  switch (part.type) {
    case 'text':
      return [{ role: 'assistant', content: part.text }];
    case 'tool_call': {
      const text = JSON.stringify(sentInput(part.input));
      return [{ type: 'function_call', call_id: part.tool_call_id, name: names.of(part.tool), arguments: text }];
    }
    case 'tool_result':
      return [{ type: 'function_call_output', call_id: part.tool_call_id, output: outputOf(part) }];
    case 'reasoning':
    case 'image':
      return [];
  }
}

function outputOf(part: MessagePartOf<'tool_result'>): string | OpenAI.Responses.ResponseFunctionCallOutputItemList {
  const { text, images } = modelResult(part);
  if (images.length === 0) return text;
  return [
    { type: 'input_text', text },
    ...images.map(({ media_type, data }) => ({ type: 'input_image' as const, image_url: `data:${media_type};base64,${data}` })),
  ];
}

function inputContent(part: MessagePart): InputContent[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  if (part.type !== 'image') return [];
  return [{ type: 'input_image', detail: 'auto', image_url: `data:${part.media_type};base64,${part.data}` }];
}

/** Servers with OpenAI's protocol may leave out what its own client declares. */
function usageOf(usage: Partial<OpenAI.Responses.ResponseUsage> | undefined): TokenUsage {
  const { input_tokens = 0, output_tokens = 0, input_tokens_details: of, output_tokens_details: made } = usage ?? {};
  return reportedUsage(input_tokens, output_tokens, { cached: of?.cached_tokens, reasoning: made?.reasoning_tokens });
}

/** Handles the events of an answer. */
class Reading {
  readonly #call: ProviderCall;
  readonly #names: AdvertisedNames;
  readonly #schemas: ReadonlyMap<string, SentSchema>;
  readonly #thoughts: Json[] = [];
  #end: StreamEnd = { finish: undefined, usage: { tokens_in: 0, tokens_out: 0 } };

  constructor(call: ProviderCall, names: AdvertisedNames, schemas: ReadonlyMap<string, SentSchema>) {
    this.#call = call;
    this.#names = names;
    this.#schemas = schemas;
  }

  get end(): StreamEnd {
    return this.#thoughts.length > 0 ? { ...this.#end, vendor: { openai: this.#thoughts } } : this.#end;
  }

  addEvent(event: StreamEvent): void {
    const { answer } = this.#call;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        answer.append('text', event.delta);
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        answer.append('reasoning', event.delta);
        break;
      case 'response.output_item.done':
        this.#item(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
        this.#end = {
          finish: event.type === 'response.completed' ? 'complete' : 'length',
          usage: usageOf(event.response.usage),
        };
        break;
      case 'response.failed':
        throw new InBandError(event.response.error ? `${event.response.error.code}: ${event.response.error.message}` : 'no reason given');
    }
  }

  #item(item: OpenAI.Responses.ResponseOutputItem): void {
    if (item.type === 'function_call') {
      const tool = this.#names.tool(item.name);
      const sent = this.#schemas.get(tool);
      const input = readInput(item.arguments);
      this.#call.answer.call(tool, sent && typeof input === 'object' ? sent.restore(input) : input, item.call_id);
    }
    // The vendor stores nothing, so it needs the encrypted content.
    if (item.type === 'reasoning' && item.encrypted_content) this.#thoughts.push(toJson({ ...item }));
  }
}
