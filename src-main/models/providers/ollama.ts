import type { ChatRequest, ChatResponse, Message as OllamaMessage, Options, Tool } from 'ollama';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { sentInput } from '#main/models/call-input.ts';
import { type Endpoint, isLoopback, type Variables } from '#main/models/endpoint.ts';
import { InBandError } from '#main/models/in-band-error.ts';
import { messageText } from '#main/models/message-text.ts';
import { unavailable } from '#main/models/model-failure.ts';
import { promptContract } from '#main/models/prompt-contract.ts';
import { type ProviderCall, providerClient, type StreamEnd } from '#main/models/provider-client.ts';
import { type ProviderSource, timingOf } from '#main/models/provider-source.ts';
import { refusesSchema } from '#main/models/schema/schema-refused.ts';
import { inputSchema, ownSchema, type SentSchema } from '#main/models/schema/sent-schema.ts';
import { sentParams } from '#main/models/sent-params.ts';
import type { Connection } from '#main/models/vendor.ts';
import { optionalPackage } from '#main/platform/optional-package.ts';
import type { ModelUrl } from '#shared/flow/model-url.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';

type OllamaUrl = Extract<ModelUrl, { provider: 'ollama' }>;

/** `ollama://HOST:PORT/MODEL`: Ollama's own API by its own client. No key is sent, because a flow may name any host. */
export async function ollamaModel(model: OllamaUrl, source: ProviderSource): Promise<ModelClient> {
  const url = `ollama://${model.host}:${model.port}/${model.model}`;
  const { environment } = await source.keySources();
  if (!source.trusted && !isLoopback(model.host) && !source.mayReach(new URL(address(model, environment)))) {
    throw unavailable(`${url} is on another machine. ${source.advice.remoteOllama(`${model.host}:${model.port}`)}`);
  }
  const endpoint: Endpoint = { base_url: address(model, environment), key: null, from_workspace: true };
  return providerClient(url, endpoint, timingOf(source, 'ollama'), (call) => exchange(model.model, call));
}

/** Names of the models on a server. */
export async function listOllama({ endpoint, http }: Connection): Promise<string[]> {
  const { Ollama } = await optionalPackage('ollama', 'ollama://', () => import('ollama'));
  const { models } = await new Ollama({ host: endpoint.base_url, fetch: http.fetch }).list();
  return models.map(({ name }) => name);
}

/** `OLLAMA_HOST` may specify https for this server. */
function address({ host, port }: OllamaUrl, { OLLAMA_HOST: named }: Variables): string {
  const known = named?.startsWith('https://') ? URL.parse(named) : null;
  const same = known !== null && known.hostname === host.toLowerCase() && Number(known.port || 443) === port;
  return `${same ? 'https' : 'http'}://${host}:${port}`;
}

async function exchange(model: string, call: ProviderCall): Promise<StreamEnd> {
  const { Ollama } = await optionalPackage('ollama', 'ollama://', () => import('ollama'));
  const { endpoint, http, request } = call;
  const client = new Ollama({ host: endpoint.base_url, fetch: http.fetch });
  const names = new AdvertisedNames(request.tools);
  const { output_schema } = request;
  const send = (format: Pick<ChatRequest, 'format'>, contract?: string) =>
    client.chat({
      model,
      stream: true,
      think: thinkingOf(request),
      messages: [
        ...request.messages.flatMap((message) => chatMessages(message, names)),
        ...(contract ? [{ role: 'user', content: contract }] : []),
      ],
      ...optionsOf(request),
      // The protocol has no choice of tools: without any, none is called.
      ...(request.tools.length > 0 && request.tool_choice !== 'none' && { tools: request.tools.map((tool) => advertised(tool, names)) }),
      ...format,
    });
  const schema = isJsonObject(output_schema) ? output_schema : {};
  let own: SentSchema | undefined;
  const stream = await send(output_schema === undefined ? {} : { format: schema }).catch((error: unknown) => {
    // For schemas that its grammar cannot express (and all schemas on old servers) only JSON mode is left, whose answers are objects.
    if (output_schema === undefined || !refusesSchema(http)) throw error;
    own = ownSchema(output_schema);
    return send({ format: 'json' }, promptContract(own.schema));
  });
  let end: StreamEnd = { finish: undefined, usage: { tokens_in: 0, tokens_out: 0 } };
  try {
    for await (const chunk of stream) end = addChunk(call, chunk, names) ?? end;
  } catch (error) {
    throw inBandError(error);
  }
  if (own) call.answer.reviseJson(own.restore);
  return end;
}

/** Ollama's client throws both in-band server errors and its own error for a truncated stream as plain errors. */
function inBandError(error: unknown): unknown {
  if (!(error instanceof Error) || error.constructor !== Error || error.message.startsWith('Did not receive')) return error;
  return new InBandError(error.message);
}

function addChunk({ answer }: ProviderCall, chunk: ChatResponse, names: AdvertisedNames): StreamEnd | undefined {
  answer.append('reasoning', chunk.message.thinking ?? '');
  answer.append('text', chunk.message.content ?? '');
  for (const { function: called } of chunk.message.tool_calls ?? []) answer.call(names.tool(called.name), called.arguments as JsonObject);
  if (!chunk.done) return undefined;
  const usage = { tokens_in: chunk.prompt_eval_count ?? 0, tokens_out: chunk.eval_count ?? 0 };
  return { finish: chunk.done_reason === 'length' ? 'length' : 'complete', usage };
}

/** Off by default: small models use up their time thinking. It is a field of the request, not of Ollama's options. */
function thinkingOf({ params }: ModelRequest): boolean | 'high' | 'medium' | 'low' {
  const think = params.options?.think;
  return think === true || think === 'high' || think === 'medium' || think === 'low' ? think : false;
}

function optionsOf(request: ModelRequest): Pick<ChatRequest, 'options'> {
  const { think: _apart, ...all } = sentParams(request, { max_tokens: 'num_predict', top_p: 'top_p', top_k: 'top_k' });
  return Object.keys(all).length > 0 ? { options: all as Partial<Options> } : {};
}

function advertised({ name, description, input_schema }: ModelRequest['tools'][number], names: AdvertisedNames): Tool {
  const parameters = inputSchema(input_schema) as Tool['function']['parameters'];
  return { type: 'function', function: { name: names.of(name), description, ...(parameters && { parameters }) } };
}

/** Converts a message to Ollama's format; each tool result is a separate message. */
function chatMessages(message: Message, names: AdvertisedNames): OllamaMessage[] {
  const { role, content } = message;
  if (role === 'tool') {
    return content.flatMap((part) =>
      part.type === 'tool_result' ? [{ role, tool_name: names.of(part.tool), content: messageText({ role, content: [part] }) }] : [],
    );
  }
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = content.flatMap((part) => (part.type === 'image' ? [part.data] : []));
  const tool_calls = content.flatMap((part) =>
    part.type === 'tool_call' ? [{ function: { name: names.of(part.tool), arguments: sentInput(part.input) } }] : [],
  );
  return [{ role, content: text, ...(images.length > 0 && { images }), ...(tool_calls.length > 0 && { tool_calls }) }];
}
