import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest, ToolDefinition } from '#main/engine/ports/model-client.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { Answer } from '#main/models/answer.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { noUserModels } from '#main/models/settings/user-models.ts';
import { realParts, skipWithout } from '#main/models/testing/real-models.ts';
import { slowness } from '#main/testing/slowness.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { FlowError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import { llamaFailure } from './llama-failure.ts';
import { LlamaProcess } from './llama-process.ts';

let folder: string;
const model = 'llama://model.gguf';
/** Small, steady, on the processor alone: these tests judge the form of answers, never what they say. */
const options = { context_size: 1024, threads: 1, gpu: false, seed: 1 };

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pravah-llama-')));
  if (realParts.local_model) symlinkSync(realParts.local_model, join(folder, 'linked.gguf'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const say = (role: Message['role'], text: string): Message => ({ role, content: [{ type: 'text', text }] });

async function complete(request: Partial<ModelRequest> = {}, url = model, trusted = true) {
  const files = realParts.local_model ? [realpathSync(realParts.local_model)] : [];
  const client = await createModelClients({ folder, trusted, user: { ...noUserModels, files }, environment: {} })(url);
  const params = { temperature: 0, max_tokens: 40, ...request.params, options: { ...options, ...request.params?.options } };
  return client.complete({
    ...{ messages: [say('user', 'Say hello.')], tools: [], turn: 0, signal: new AbortController().signal },
    ...request,
    params,
  });
}

async function failure(...args: Parameters<typeof complete>) {
  const error = await complete(...args).then(
    () => null,
    (thrown: unknown) => thrown as FlowError,
  );
  if (!error) throw new Error('The call did not fail.');
  return error.toJSON();
}

const chosen = () => `llama://${realpathSync(realParts.local_model ?? '')}`;

describe.skipIf(skipWithout('local_model'))('a model file, run by llama.cpp', { timeout: 120_000 * slowness }, () => {
  it('a local model streams its answer, counts tokens and respects the token limit', async () => {
    const pieces: string[] = [];
    const params = { temperature: 0, max_tokens: 12 };
    const messages = [say('system', 'You tell stories.'), say('user', 'Tell a long story.')];
    const answer = await complete({ messages, params, onDelta: ({ text }) => pieces.push(text) }, chosen());
    expect(answer.message.content).toMatchObject([{ type: 'text' }]);
    expect(pieces.join('')).toBe((answer.message.content[0] as { text: string }).text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(answer.finish_reason).toBe('length');
    expect(answer.usage.tokens_in).toBeGreaterThan(10);
    expect(answer.usage.tokens_out).toBeGreaterThan(5);
    expect(answer.usage.tokens_out).toBeLessThan(20);
  });

  it.each<[string, JsonSchema]>([
    [
      'with optional, nullable and listed values',
      {
        $defs: {
          Mark: { type: 'object', properties: { of: { enum: ['style', 'sense'] }, points: { type: 'integer' } }, required: ['of'] },
        },
        type: 'object',
        properties: {
          verdict: { enum: ['good', 'bad'] },
          certain: { type: 'boolean' },
          marks: { type: 'array', items: { $ref: '#/$defs/Mark' }, minItems: 1, maxItems: 2 },
          note: { type: ['string', 'null'], maxLength: 12 },
          owner: {
            anyOf: [{ type: 'object', properties: { name: { type: 'string', maxLength: 8 } }, required: ['name'] }, { type: 'null' }],
          },
        },
        required: ['verdict', 'marks'],
        additionalProperties: false,
      },
    ],
    ['that is a list', { type: 'array', items: { enum: [1, 2, 3] }, minItems: 2, maxItems: 2 }],
    ['that is one of several texts', { enum: ['red', 'green'] }],
  ])('is held to a schema %s', async (_what, schema) => {
    const { message, usage } = await complete({ output_schema: schema, params: { temperature: 0, max_tokens: 200 } }, chosen());
    const value: unknown = JSON.parse((message.content[0] as { text: string }).text);
    expect(compileSchema(schema)(value as never)).toBeNull();
    expect(usage.tokens_out).toBeGreaterThan(0);
  });

  it('a local model returns JSON for a recursive schema', async () => {
    const recursive = { type: 'object', properties: { child: { $ref: '#' } } };
    const { message, finish_reason } = await complete({ output_schema: recursive, params: { max_tokens: 120 } }, chosen());
    if (finish_reason === 'stop') expect(() => JSON.parse((message.content[0] as { text: string }).text)).not.toThrow();
    else expect((message.content[0] as { text: string }).text).toMatch(/^\s*[[{"\d\-tfn]/);
  });

  it('calls one of its tools with an input that fits, in each turn of an agent that ends by submitting', async () => {
    const tools: ToolDefinition[] = [
      {
        name: './tools/look up.ts',
        description: 'Looks a word up.',
        input_schema: { type: 'object', properties: { word: { enum: ['fox', 'dog'] } } },
      },
      {
        name: submitTool,
        description: 'Ends the task.',
        input_schema: {
          type: 'object',
          properties: { animal: { enum: ['fox', 'dog'] } },
          required: ['animal'],
          additionalProperties: false,
        },
      },
    ];
    const params = { temperature: 0, max_tokens: 100 };
    const pieces: string[] = [];
    const first = await complete({ tools, params, onDelta: ({ text }) => pieces.push(text) }, chosen());
    expect(first.finish_reason).toBe('tool');
    expect(pieces).toEqual([]);
    const [call] = first.message.content;
    if (call?.type !== 'tool_call') throw new Error('There is no call.');
    const tool = tools.find(({ name }) => name === call.tool);
    expect(compileSchema(tool?.input_schema ?? false)(call.input)).toBeNull();
    const result = { type: 'tool_result', tool_call_id: 'call_1', tool: call.tool, result: { known: true }, is_error: false } as const;
    const turn: Message = { ...first.message, content: [{ ...call, tool_call_id: 'call_1' }] };
    const messages = [say('user', 'Look.'), turn, { role: 'tool', content: [result] } as Message, say('user', 'Submit now.')];
    expect(await complete({ tools, params, messages }, chosen())).toMatchObject({ finish_reason: 'tool' });
  });

  it('a local model gets tools in its own prompt format when it may also answer with text', async () => {
    const tools: ToolDefinition[] = [
      { name: 'look_up', description: 'Looks a word up.', input_schema: { type: 'object', properties: { word: { type: 'string' } } } },
    ];
    const call = { type: 'tool_call', tool_call_id: 'call_1', tool: 'look_up', input: { word: 'fox' } } as const;
    const result = { type: 'tool_result', tool_call_id: 'call_1', tool: 'look_up', result: 'An animal.', is_error: false } as const;
    const messages: Message[] = [say('user', 'A fox?'), { role: 'assistant', content: [call] }, { role: 'tool', content: [result] }];
    const { message, usage } = await complete({ tools, messages, params: { max_tokens: 8 } }, chosen());
    expect(message.role).toBe('assistant');
    expect(usage.tokens_in).toBeGreaterThan(50);
  });

  it('follows a grammar', async () => {
    const grammar = 'root ::= ("ab" | "ba") [0-9] [0-9]';
    const { message } = await complete({ grammar }, chosen());
    expect((message.content[0] as { text: string }).text).toMatch(/^(ab|ba)\d\d$/);
    const byOption = await complete({ params: { options: { grammar: 'root ::= "yes" | "no"' } } }, chosen());
    expect((byOption.message.content[0] as { text: string }).text).toMatch(/^(yes|no)$/);
    expect(await failure({ grammar: 'root ::= (' }, chosen())).toMatchObject({ code: 'CONFIG_GRAMMAR_INVALID' });
  });

  it('is cancelled in the middle of a sentence within a second, and answers the next one', async () => {
    const stop = new AbortController();
    let stopped = 0;
    const onDelta = () => {
      stopped ||= performance.now();
      stop.abort(new Error('enough'));
    };
    const params = { max_tokens: 900 };
    const messages = [say('user', 'Count to one thousand.')];
    expect(await complete({ messages, params, signal: stop.signal, onDelta }, chosen()).catch((error: unknown) => error)).toMatchObject({
      message: 'enough',
    });
    expect(performance.now() - stopped).toBeLessThan(1000 * slowness);
    // Answers are made one after the other: this one waits until the model has really stopped.
    expect(await complete({ params: { max_tokens: 2 } }, chosen())).toMatchObject({ finish_reason: 'length' });
    expect(performance.now() - stopped).toBeLessThan(15_000 * slowness);
  });

  it('reports that a conversation exceeds the context window', async () => {
    const messages = [say('user', 'word '.repeat(3000))];
    expect(await failure({ messages }, chosen())).toMatchObject({ code: 'INFERENCE_CONTEXT_EXCEEDED', retryable: false });
  });

  it('reports why a local model’s file cannot be loaded', async () => {
    writeFileSync(join(folder, 'text.gguf'), 'no model');
    mkdirSync(join(folder, 'folder.gguf'));
    writeFileSync(join(folder, 'cut.gguf'), Buffer.concat([Buffer.from('GGUF'), Buffer.from([3, 0, 0, 0, 9, 9])]));
    expect(await failure({}, 'llama://missing.gguf')).toMatchObject({ code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: false });
    expect((await failure({}, 'llama://text.gguf')).message).toContain('is not a model file');
    expect((await failure({}, 'llama://folder.gguf')).message).toContain('is not a file');
    expect((await failure({}, 'llama://cut.gguf')).message).toContain('Cannot load');
    expect(existsSync(join(folder, 'cut.gguf'))).toBe(true);
  });

  it('is loaded from a trusted folder, or where the user chose it', async () => {
    writeFileSync(join(folder, 'own.gguf'), 'GGUF');
    expect((await failure({}, 'llama://own.gguf', false)).message).toContain('in an untrusted folder');
    expect((await failure({}, 'llama:///usr/share/other.gguf')).message).toContain('does not exist');
    const elsewhere = join(tmpdir(), `pravah-elsewhere-${process.pid}.gguf`);
    writeFileSync(elsewhere, 'GGUF');
    expect((await failure({}, `llama://${elsewhere}`)).message).toContain('outside the workspace');
    rmSync(elsewhere);
    // A link leads to the file that it names, and that one was chosen.
    expect(await complete({ params: { max_tokens: 1 } }, 'llama://linked.gguf', false)).toMatchObject({ finish_reason: 'length' });
  });

  it('a crash of a local model’s process is reported after the partial answer, and the next request starts another process', async () => {
    const process = new LlamaProcess({
      path: realpathSync(realParts.local_model ?? ''),
      ...{ context_size: 512, threads: 1, gpu: false },
    });
    const request = { turns: [{ type: 'user', text: 'Count to one thousand.' }], hold: { type: 'free' } } as const;
    const answer = new Answer({});
    const onPiece = (_part: string, text: string) => {
      answer.append('text', text);
      kill(process.pid ?? 0, 'SIGKILL');
    };
    const { signal } = new AbortController();
    const error = await process.complete(request, signal, onPiece).catch((thrown: unknown) => llamaFailure('llama://m.gguf', thrown));
    expect((error as FlowError).toJSON()).toMatchObject({
      code: 'INFERENCE_ENGINE_ERROR',
      retryable: true,
      details: { vendor_message: 'it was ended by SIGKILL' },
    });
    expect(answer.hasContent).toBe(true);
    expect(await process.complete({ ...request, max_tokens: 2 }, signal, () => undefined)).toMatchObject({ finish: 'length' });
    process.close();
  });

  it('an unknown option of a local model is rejected with the list of options', async () => {
    expect((await failure({ params: { options: { mirostat: 1 } } }, chosen())).message).toContain('context_size');
  });

  it('a local model rejects an image, which it cannot see', async () => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'image', media_type: 'image/png', data: 'aGk=' }] }];
    expect((await failure({ messages }, chosen())).message).toContain('only text');
  });
});
