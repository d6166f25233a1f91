import type OpenAI from 'openai';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { readInput, sentInput } from '#main/models/call-input.ts';
import { type NamedService, serviceEndpoint } from '#main/models/endpoint.ts';
import { messageText, systemTexts } from '#main/models/message-text.ts';
import { unavailable } from '#main/models/model-failure.ts';
import { ModelHttp } from '#main/models/model-http.ts';
import { openAiClient } from '#main/models/openai-client.ts';
import { toolChoice } from '#main/models/openai-tool-choice.ts';
import { promptContract } from '#main/models/prompt-contract.ts';
import { type ProviderCall, providerClient, type StreamEnd } from '#main/models/provider-client.ts';
import { type ProviderSource, timingOf } from '#main/models/provider-source.ts';
import { reportedUsage } from '#main/models/reported-usage.ts';
import { openAiStrict } from '#main/models/schema/dialects.ts';
import { refusesSchema } from '#main/models/schema/schema-refused.ts';
import { inputSchema, ownSchema, type SentSchema, sentSchema } from '#main/models/schema/sent-schema.ts';
import { sentParams } from '#main/models/sent-params.ts';
import type { Connection } from '#main/models/vendor.ts';
import type { ModelUrl } from '#shared/flow/model-url.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

type Chat = OpenAI.Chat.ChatCompletionMessageParam;
type Chunk = OpenAI.Chat.ChatCompletionChunk;
type ChunkCall = NonNullable<Chunk['choices'][number]['delta']['tool_calls']>[number];

/** `genai://PROVIDER/MODEL`: chat completions of an endpoint in `providers` of `pravah.json`. */
export async function genaiModel(
  { service, model }: Extract<ModelUrl, { provider: 'genai' }>,
  source: ProviderSource,
): Promise<ModelClient> {
  const url = `genai://${service}/${model}`;
  const endpoint = await serviceEndpoint(url, serviceOf(url, service, source), await source.keySources());
  return providerClient(url, endpoint, timingOf(source, service), (call) => exchange(model, call));
}

/** The connection to a service's endpoint. Throws `AgentError`. */
export async function serviceConnection(url: string, service: string, source: ProviderSource, signal: AbortSignal): Promise<Connection> {
  const endpoint = await serviceEndpoint(url, serviceOf(url, service, source), await source.keySources());
  return { endpoint, http: new ModelHttp(endpoint, signal, source.timing) };
}

/** Finds a service by name: a trusted workspace takes precedence over the user's settings. Throws `AgentError`. */
function serviceOf(url: string, name: string, { providers, providers_from, user, advice }: ProviderSource): NamedService {
  const named = Object.hasOwn(providers, name) ? providers[name] : undefined;
  const base_url = named?.base_url;
  if (base_url !== undefined && providers_from !== 'untrusted')
    return { base_url, key: named?.key, name, from_workspace: providers_from === 'workspace' };
  const own = Object.hasOwn(user.services, name) ? user.services[name] : undefined;
  if (own) return { ...own, name, from_workspace: false };
  if (base_url !== undefined)
    throw unavailable(`${url} is an endpoint defined by this folder, which is not trusted. ${advice.folderService()}`);
  throw unavailable(`Unknown service ${name}. ${advice.noService(name)}`);
}

async function exchange(model: string, call: ProviderCall): Promise<StreamEnd> {
  const { request } = call;
  const client = await openAiClient(call);
  const names = new AdvertisedNames(request.tools);
  const { output_schema } = request;
  let output = output_schema === undefined ? undefined : sentSchema(output_schema, openAiStrict);
  const send = (body: Partial<OpenAI.Chat.ChatCompletionCreateParamsStreaming>, contract?: string) =>
    client.chat.completions.create({
      ...sentParams(request, { max_tokens: 'max_tokens', top_p: 'top_p', top_k: 'top_k' }),
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: chatMessages(request.messages, names, contract),
      ...(request.tools.length > 0 && { tools: toolsOf(request, names), ...toolChoice(request) }),
      ...body,
    });
  const stream = await send(output ? { response_format: formatOf(output) } : {}).catch((error: unknown) => {
    // A server that rejects schemas gets the schema in the prompt instead.
    if (output_schema === undefined || !refusesSchema(call.http)) throw error;
    output = ownSchema(output_schema);
    return send({ response_format: { type: 'json_object' } }, promptContract(output.schema));
  });
  const reading = new Reading(call, names);
  for await (const chunk of stream) reading.addChunk(chunk);
  reading.finishCalls();
  if (output) call.answer.reviseJson(output.restore);
  return reading.end;
}

function formatOf({ schema, exact }: SentSchema): OpenAI.ResponseFormatJSONSchema {
  return { type: 'json_schema', json_schema: { name: 'output', schema: { ...schema }, strict: exact } };
}

function toolsOf({ tools }: ModelRequest, names: AdvertisedNames): OpenAI.Chat.ChatCompletionTool[] {
  return tools.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name: names.of(name), description, parameters: { ...inputSchema(input_schema) } },
  }));
}

function chatMessages(messages: readonly Message[], names: AdvertisedNames, contract?: string): Chat[] {
  const system = [...systemTexts(messages), ...(contract === undefined ? [] : [contract])];
  const opening: Chat[] = system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : [];
  return [...opening, ...messages.flatMap((message) => chatMessage(message, names))];
}

function chatMessage({ role, content }: Message, names: AdvertisedNames): Chat[] {
  switch (role) {
    case 'system':
      return [];
    case 'user':
      return [{ role, content: content.flatMap(userPart) }];
    case 'tool':
      return content.flatMap((part): Chat[] =>
        part.type === 'tool_result'
          ? [{ role: 'tool', tool_call_id: part.tool_call_id, content: messageText({ role: 'tool', content: [part] }) }]
          : [],
      );
    case 'assistant': {
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      const calls = content.flatMap((part) =>
        part.type === 'tool_call'
          ? [
              {
                type: 'function' as const,
                id: part.tool_call_id,
                function: { name: names.of(part.tool), arguments: JSON.stringify(sentInput(part.input)) },
              },
            ]
          : [],
      );
      return [{ role, content: text === '' && calls.length > 0 ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
    }
  }
}

function userPart(part: MessagePart): OpenAI.Chat.ChatCompletionContentPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'image') return [];
  return [{ type: 'image_url', image_url: { url: `data:${part.media_type};base64,${part.data}` } }];
}

function usageOf(usage: NonNullable<Chunk['usage']>): TokenUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details: of, completion_tokens_details: made } = usage;
  return reportedUsage(prompt_tokens, completion_tokens, { cached: of?.cached_tokens, reasoning: made?.reasoning_tokens });
}

/** Handles the chunks of an answer. */
class Reading {
  readonly #call: ProviderCall;
  readonly #names: AdvertisedNames;
  readonly #calls = new Map<number, { id: string; name: string; input: string }>();
  end: StreamEnd = { finish: undefined, usage: { tokens_in: 0, tokens_out: 0 } };

  constructor(call: ProviderCall, names: AdvertisedNames) {
    this.#call = call;
    this.#names = names;
  }

  addChunk({ choices, usage }: Chunk): void {
    // Other vendors' servers omit fields that OpenAI's own always sends.
    const choice = choices?.[0];
    if (usage) this.end = { ...this.end, usage: usageOf(usage) };
    if (!choice?.delta) return;
    const { answer } = this.#call;
    // Not part of OpenAI's own protocol: DeepSeek, vLLM and OpenRouter send reasoning this way.
    const thought = choice.delta as { reasoning_content?: string | null; reasoning?: string | null };
    answer.append('reasoning', thought.reasoning_content ?? thought.reasoning ?? '');
    answer.append('text', choice.delta.content ?? choice.delta.refusal ?? '');
    for (const piece of choice.delta.tool_calls ?? []) this.#piece(piece);
    if (choice.finish_reason) this.end = { ...this.end, finish: choice.finish_reason === 'length' ? 'length' : 'complete' };
  }

  #piece({ index, id, function: called }: ChunkCall): void {
    const known = this.#calls.get(index) ?? { id: '', name: '', input: '' };
    this.#calls.set(index, {
      id: known.id || (id ?? ''),
      name: known.name || (called?.name ?? ''),
      input: known.input + (called?.arguments ?? ''),
    });
  }

  finishCalls(): void {
    for (const { id, name, input } of this.#calls.values()) this.#call.answer.call(this.#names.tool(name), readInput(input), id);
  }
}
