import type {
  Content,
  FunctionCallingConfigMode,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentResponse,
  GoogleGenAI,
  Part,
  ToolListUnion,
} from '@google/genai';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { sentInput } from '#main/models/call-input.ts';
import { modelResult } from '#main/models/image-part.ts';
import { InBandError } from '#main/models/in-band-error.ts';
import { systemTexts } from '#main/models/message-text.ts';
import { schemaRefused } from '#main/models/model-failure.ts';
import type { ProviderCall, StreamEnd } from '#main/models/provider-client.ts';
import { reportedUsage } from '#main/models/reported-usage.ts';
import { copySchema, Inexpressible } from '#main/models/schema/copy-schema.ts';
import { geminiSchema } from '#main/models/schema/dialects.ts';
import { inputSchema } from '#main/models/schema/sent-schema.ts';
import { sentParams } from '#main/models/sent-params.ts';
import type { Connection, Vendor } from '#main/models/vendor.ts';
import { optionalPackage } from '#main/platform/optional-package.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import type { TokenUsage } from '#shared/run/token-usage.ts';

/** `gemini://MODEL`: the Gemini API by Google's own client. */
export const gemini: Vendor = {
  name: 'gemini',
  exchange,
  count,
  async list(connection) {
    const names: string[] = [];
    const client = await clientOf(connection);
    for await (const { name = '', supportedActions } of await client.models.list({ config: { pageSize: 1000 } })) {
      if (supportedActions?.includes('generateContent') ?? true) names.push(name.replace(/^models\//, ''));
    }
    return names;
  },
};

async function clientOf({ endpoint, http }: Connection): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await optionalPackage('@google/genai', 'gemini://', () => import('@google/genai'));
  return new Client({
    apiKey: endpoint.key ?? '',
    vertexai: false,
    // The version that supports JSON Schema, regardless of this machine's environment.
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: endpoint.base_url, fetch: http.fetch },
  });
}

async function exchange(model: string, call: ProviderCall): Promise<StreamEnd> {
  const { request } = call;
  const names = new AdvertisedNames(request.tools);
  const config = configOf(request, names);
  const client = await clientOf(call);
  const stream = await client.models.generateContentStream({ model, contents: conversation(request.messages, names), config });
  const reading = new Reading(call, names);
  for await (const chunk of stream) reading.addEvent(chunk);
  return reading.end;
}

/** Gemini's `countTokens`. Google's own client cannot count system instructions and tools there, so the request is written by hand. */
async function count(model: string, { request, endpoint, http }: ProviderCall): Promise<number | undefined> {
  const names = new AdvertisedNames(request.tools);
  const system = systemTexts(request.messages);
  const { tools } = configOf(request, names);
  const generateContentRequest = {
    model: `models/${model}`,
    contents: conversation(request.messages, names),
    ...(system.length > 0 && { systemInstruction: { parts: [{ text: system.join('\n\n') }] } }),
    ...(tools && { tools }),
  };
  const response = await http.fetch(`${endpoint.base_url.replace(/\/$/, '')}/v1beta/models/${model}:countTokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(endpoint.key && { 'x-goog-api-key': endpoint.key }) },
    body: JSON.stringify({ generateContentRequest }),
  });
  // `fetch` keeps what a refusal says.
  if (!response.ok) throw new Error('The request to count tokens was refused.');
  return ((await response.json()) as { readonly totalTokens?: number }).totalTokens;
}

function configOf(request: ModelRequest, names: AdvertisedNames): GenerateContentConfig {
  const { messages, tools, output_schema, signal } = request;
  const system = systemTexts(messages);
  return {
    ...sentParams(request, { max_tokens: 'maxOutputTokens', top_p: 'topP', top_k: 'topK' }),
    abortSignal: signal,
    ...(system.length > 0 && { systemInstruction: system.join('\n\n') }),
    ...(output_schema !== undefined && {
      responseMimeType: 'application/json',
      responseJsonSchema: sanitised(output_schema, 'the output'),
    }),
    ...(tools.length > 0 && { tools: [...vendorTools(request), { functionDeclarations: tools.map((tool) => declaration(tool, names)) }] }),
    ...(tools.length > 0 && choiceOf(request)),
  };
}

function choiceOf({ tool_choice }: ModelRequest): Pick<GenerateContentConfig, 'toolConfig'> {
  if (tool_choice === undefined) return {};
  const mode = (tool_choice === 'none' ? 'NONE' : 'ANY') as FunctionCallingConfigMode;
  return { toolConfig: { functionCallingConfig: { mode } } };
}

/** Tools that Gemini runs itself, as the author set them in the options. */
function vendorTools({ params }: ModelRequest): ToolListUnion {
  const tools = params.options?.tools;
  return Array.isArray(tools) ? (tools as ToolListUnion) : [];
}

function declaration({ name, description, input_schema }: ModelRequest['tools'][number], names: AdvertisedNames): FunctionDeclaration {
  const schema = sanitised(inputSchema(input_schema), `the input of ${name}`);
  return { name: names.of(name), description, parametersJsonSchema: { ...schema } };
}

/** The part of a schema that Gemini supports. Throws for a recursive schema, which cannot be expanded, before sending anything. */
function sanitised(schema: JsonSchema, whose: string): JsonObject {
  try {
    return copySchema(schema, geminiSchema);
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    throw schemaRefused(`gemini:// does not support the schema of ${whose}: ${error.message}. Bound its depth, or use another provider.`);
  }
}

/** Contents with alternating roles; the tool results of a turn are one content. */
function conversation(messages: readonly Message[], names: AdvertisedNames): Content[] {
  const contents: { role: string; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const signatures = signaturesOf(message);
    const parts = message.content.flatMap((part, index) => partsOf(part, names, signatures[String(index)]));
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

/** Thought signatures by part index. Gemini 3 rejects a conversation whose calls have lost theirs. */
function signaturesOf({ vendor }: Message): JsonObject {
  return isJsonObject(vendor?.gemini) ? vendor.gemini : {};
}

function partsOf(part: MessagePart, names: AdvertisedNames, signature: Json | undefined): Part[] {
  const signed = typeof signature === 'string' ? { thoughtSignature: signature } : {};
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...signed }];
    case 'image':
      return [{ inlineData: { mimeType: part.media_type, data: part.data } }];
    case 'tool_call':
      return [{ functionCall: { id: part.tool_call_id, name: names.of(part.tool), args: sentInput(part.input) }, ...signed }];
    case 'tool_result': {
      const { is_error } = part;
      const { value: result } = modelResult(part);
      // A float that keeps its point is an object, too.
      const isObject = isJsonObject(result) && typeof part.result !== 'number';
      const response = is_error ? { error: result } : isObject ? { ...result } : { output: result };
      return [{ functionResponse: { id: part.tool_call_id, name: names.of(part.tool), response } }];
    }
    case 'reasoning':
      return [];
  }
}

/** Finish reasons of complete answers. */
const blamelessEnds: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS', 'FINISH_REASON_UNSPECIFIED']);

/** Handles the chunks of an answer. */
class Reading {
  readonly #call: ProviderCall;
  readonly #names: AdvertisedNames;
  readonly #signatures: Record<string, Json> = {};
  #usage: TokenUsage = { tokens_in: 0, tokens_out: 0 };
  #finish: StreamEnd['finish'];

  constructor(call: ProviderCall, names: AdvertisedNames) {
    this.#call = call;
    this.#names = names;
  }

  get end(): StreamEnd {
    const vendor = Object.keys(this.#signatures).length > 0 ? { vendor: { gemini: this.#signatures } } : {};
    return { finish: this.#finish, usage: this.#usage, ...vendor };
  }

  addEvent({ candidates, usageMetadata, promptFeedback }: GenerateContentResponse): void {
    const candidate = candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) this.#part(part);
    if (usageMetadata) {
      const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount, cachedContentTokenCount: cached } = usageMetadata;
      const made = candidatesTokenCount + (thoughtsTokenCount ?? 0);
      this.#usage = reportedUsage(promptTokenCount, made, { cached, reasoning: thoughtsTokenCount });
    }
    if (promptFeedback?.blockReason) throw new InBandError(`the prompt was blocked (${promptFeedback.blockReason})`);
    // A blocked answer has no content.
    if (candidate?.finishReason && !blamelessEnds.has(candidate.finishReason) && !this.#call.answer.hasContent)
      throw new InBandError(`the answer was blocked (${candidate.finishReason})`);
    if (candidate?.finishReason) this.#finish = candidate.finishReason === 'MAX_TOKENS' ? 'length' : 'complete';
  }

  #part({ text, thought, functionCall, thoughtSignature }: Part): void {
    const { answer } = this.#call;
    if (text) answer.append(thought ? 'reasoning' : 'text', text);
    // Gemini's ids, if any, repeat in every turn; without an id, the call gets one that is unique in the run.
    if (functionCall) answer.call(this.#names.tool(functionCall.name ?? ''), (functionCall.args ?? {}) as JsonObject);
    if (thoughtSignature && answer.hasContent) this.#signatures[String(answer.length - 1)] = thoughtSignature;
  }
}
