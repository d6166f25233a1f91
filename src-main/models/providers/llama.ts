import type { ModelClient, ModelRequest, ModelResponse, ToolDefinition } from '#main/engine/ports/model-client.ts';
import { AdvertisedNames } from '#main/models/advertised-names.ts';
import { Answer } from '#main/models/answer.ts';
import { readInput } from '#main/models/call-input.ts';
import { type CallStyle, llamaTurns } from '#main/models/llama/llama-conversation.ts';
import { llamaFailure } from '#main/models/llama/llama-failure.ts';
import { llamaFile } from '#main/models/llama/llama-file.ts';
import type { LlamaHold, LlamaLoading, LlamaRequest } from '#main/models/llama/llama-messages.ts';
import { type LlamaOptions, llamaOptions } from '#main/models/llama/llama-options.ts';
import { LlamaProcess } from '#main/models/llama/llama-process.ts';
import { callSchema, grammarSchema } from '#main/models/llama/llama-schema.ts';
import { toolsOnOffer } from '#main/models/llama/tools-on-offer.ts';
import { promptContract } from '#main/models/prompt-contract.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';
import type { SentSchema } from '#main/models/schema/sent-schema.ts';
import type { ModelUrl } from '#shared/flow/model-url.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** The model processes of this thread, by load options. */
const processes = new Map<string, LlamaProcess>();

function processOf(loading: LlamaLoading): LlamaProcess {
  const key = JSON.stringify(loading);
  const known = processes.get(key) ?? new LlamaProcess(loading);
  processes.set(key, known);
  return known;
}

/** `llama://PATH.gguf`: a model file, run by llama.cpp in its own process. */
export async function llamaModel(
  { path }: Extract<ModelUrl, { provider: 'llama' | 'script' }>,
  source: ProviderSource,
): Promise<ModelClient> {
  const url = `llama://${path}`;
  const file = await llamaFile(path, { folder: source.folder, trusted: source.trusted, chosen: source.user.files, advice: source.advice });
  const processFor = ({ context_size, threads, gpu }: LlamaOptions): LlamaProcess =>
    processOf({
      path: file,
      ...(context_size !== undefined && { context_size }),
      ...(threads !== undefined && { threads }),
      ...(gpu !== undefined && { gpu }),
    });
  return {
    async countTokens(request): Promise<number> {
      request.signal.throwIfAborted();
      const options = llamaOptions(request.params.options);
      const counting = { ...exchangeOf(request, options).request, count: true } as const;
      try {
        return (await processFor(options).complete(counting, request.signal, () => undefined)).tokens_in;
      } catch (error) {
        request.signal.throwIfAborted();
        throw llamaFailure(url, error);
      }
    },
    async complete(request): Promise<ModelResponse> {
      request.signal.throwIfAborted();
      const options = llamaOptions(request.params.options);
      const exchange = exchangeOf(request, options);
      const answer = new Answer(request);
      // Don't stream the JSON of a call as text.
      const onPiece = (part: 'text' | 'reasoning', text: string) => {
        if (part === 'reasoning' || !exchange.calls) answer.append(part, text);
      };
      try {
        const process = processFor(options);
        const { text, calls, finish, tokens_in, tokens_out } = await process.complete(exchange.request, request.signal, onPiece);
        if (exchange.calls) exchange.calls(text, answer);
        for (const { name, params } of calls) exchange.call(name, params, answer);
        exchange.restore(answer);
        const finish_reason = finish === 'length' ? 'length' : answer.callsTools ? 'tool' : 'stop';
        return { message: answer.message(), finish_reason, usage: { tokens_in, tokens_out } };
      } catch (error) {
        request.signal.throwIfAborted();
        throw llamaFailure(url, error);
      }
    },
  };
}

/** A request to the process, and how to parse its answer. */
interface Exchange {
  readonly request: LlamaRequest;
  /** Parses a call from the text, if it is one. */
  readonly calls?: (text: string, answer: Answer) => void;
  /** Accepts a call in the model's own format. */
  readonly call: (name: string, params: Json, answer: Answer) => void;
  /** Converts the text back to the author's schema. */
  readonly restore: (answer: Answer) => void;
}

function exchangeOf(request: ModelRequest, options: LlamaOptions): Exchange {
  const { messages, tools, output_schema, params } = request;
  const names = new AdvertisedNames(tools);
  const inputs = new Map(tools.map(({ name, input_schema }) => [name, grammarSchema(input_schema)] as const));
  const exchange = (hold: LlamaHold, style: CallStyle, told: readonly string[]): Pick<Exchange, 'request' | 'call' | 'restore'> => ({
    request: {
      turns: llamaTurns(messages, names, style, told),
      hold,
      ...(params.temperature !== undefined && { temperature: params.temperature }),
      ...(params.top_p !== undefined && { top_p: params.top_p }),
      ...(params.max_tokens !== undefined && { max_tokens: params.max_tokens }),
      ...((params.top_k ?? options.top_k) !== undefined && { top_k: params.top_k ?? options.top_k }),
      ...(options.min_p !== undefined && { min_p: options.min_p }),
      ...(options.seed !== undefined && { seed: options.seed }),
    },
    call: (name, input, answer) => answer.call(names.tool(name), restored(inputs, names.tool(name), input)),
    restore: () => undefined,
  });

  const grammar = request.grammar ?? options.grammar;
  if (grammar !== undefined) return exchange({ type: 'gbnf', grammar }, 'json', tools.length > 0 ? [toolsInWords(tools, names)] : []);
  if (tools.some(({ name }) => name === submitTool)) {
    const advertised = toolsOnOffer(tools, messages).map(({ name }) => ({ name: names.of(name), input: inputs.get(name) as SentSchema }));
    const held = exchange({ type: 'schema', schema: callSchema(advertised) }, 'json', [toolsInWords(tools, names)]);
    return { ...held, calls: (text, answer) => readCall(text, answer, held.call) };
  }
  if (tools.length > 0) {
    const functions = Object.fromEntries(
      tools.map(({ name, description }) => [names.of(name), { description, params: inputs.get(name)?.schema ?? {} }]),
    );
    return exchange({ type: 'functions', functions }, 'functions', []);
  }
  if (output_schema === undefined) return exchange({ type: 'free' }, 'json', []);
  const output = grammarSchema(output_schema);
  const held = exchange(output.exact ? { type: 'schema', schema: output.schema } : { type: 'json' }, 'json', [
    promptContract(output_schema),
  ]);
  return { ...held, restore: (answer) => answer.reviseJson(output.restore) };
}

/** The tool instructions for a model whose grammar only allows tool calls. */
function toolsInWords(tools: readonly ToolDefinition[], names: AdvertisedNames): string {
  const list = tools.map(
    ({ name, description, input_schema }) => `- ${names.of(name)}: ${description} Input: ${JSON.stringify(input_schema)}`,
  );
  return `You work with tools. Each of your answers must be one tool call as JSON: {"tool": NAME, "input": {…}}. You then get its result. Available tools:\n${list.join('\n')}`;
}

/** A call that was cut off (by \`max_tokens\`) stays text: the agent reports the problem. */
function readCall(text: string, answer: Answer, call: Exchange['call']): void {
  const value = readInput(text);
  if (isJsonObject(value) && typeof value.tool === 'string' && value.input !== undefined) call(value.tool, value.input, answer);
  else answer.append('text', text);
}

function restored(inputs: ReadonlyMap<string, SentSchema>, tool: string, input: Json): Json {
  return inputs.get(tool)?.restore(input) ?? input;
}
