import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testedVendors } from '#main/models/testing/vendors.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import type { ContextOptions } from './context-options.ts';
import { callAgent, createContext, FlowError } from './runtime.ts';

let server: VendorServer;
let profile: Awaited<ReturnType<typeof temporaryProfile>>;
let folder: string;

beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
beforeEach(async () => {
  profile = await temporaryProfile();
  folder = join(profile.root, 'workspace');
  mkdirSync(folder);
  server.mock.addFixture({ match: { predicate: () => true }, response: { content: 'Yes.' } });
});
afterEach(async () => {
  server.reset();
  await profile[Symbol.asyncDispose]();
});
afterAll(() => server.stop());

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

/** Asks a model from a program with nothing in its environment but what the options say. */
async function ask(model: string, options: ContextOptions) {
  const context = await createContext({ working_dir: folder, env: {}, ...options });
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Is 17 a prime?' }] }];
  const { content, error } = await callAgent({ mode: 'chat', messages }, { model, context });
  return { content, message: error?.message ?? '', code: error?.code };
}

/** The key that the last request carried. */
const sentKey = () => String(server.requests.at(-1)?.headers.authorization ?? '').replace('Bearer ', '');

describe('a model of a vendor, from a program', () => {
  const env = () => ({ OPENAI_BASE_URL: `${server.url}/v1` });

  test.each([
    ['by provider', { openai: 'sk-from-the-program' }],
    [
      'by endpoint',
      ({ provider, base_url }: { provider: string; base_url: string }) => (base_url.startsWith(server.url) ? `sk-for-${provider}` : ''),
    ],
  ])('gets the key that the program passes %s', async (_, keys) => {
    expect(await ask('openai://gpt-4o', { env: env(), keys })).toMatchObject({ content: 'Yes.', code: undefined });
    expect(sentKey()).toBe(typeof keys === 'function' ? 'sk-for-openai' : 'sk-from-the-program');
  });

  test('gets a stored key where the program allows it', async () => {
    await new KeyStore(fileCipher).set({ provider: 'openai', endpoint: `${server.url}/v1`, key: 'sk-stored' }, 1);
    expect((await ask('openai://gpt-4o', { env: env() })).message).toContain('stored_keys: true');
    expect(await ask('openai://gpt-4o', { env: env(), stored_keys: true })).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('sk-stored');
  });

  test('gets the key of .env where the program allows it, and no key of its own for an address that .env names', async () => {
    write('.env', 'OPENAI_API_KEY=sk-of-the-folder\n');
    expect((await ask('openai://gpt-4o', { env: env() })).message).toContain('env_file: true');
    expect(await ask('openai://gpt-4o', { env: env(), env_file: true })).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('sk-of-the-folder');
    write('.env', `OPENAI_BASE_URL=${server.url}/v1\n`);
    const sent = server.requests.length;
    const refused = await ask('openai://gpt-4o', { env_file: true, keys: { openai: 'sk-from-the-program' } });
    expect(refused.message).toContain('createContext({ keys: ({ base_url }) => … })');
    expect(server.requests).toHaveLength(sent);
  });

  test('names the options that give a key, and no menu or command', async () => {
    const { message, code } = await ask('openai://gpt-4o', { env: env() });
    expect(code).toBe('INFERENCE_MODEL_UNAVAILABLE');
    for (const option of ["keys: { openai: '…' }", 'OPENAI_API_KEY', 'env_file', 'stored_keys']) expect(message).toContain(option);
    expect(message).not.toMatch(/Settings|pravah key/);
  });
});

describe('a service of genai://, from a program', () => {
  const providers = () => ({ house: { base_url: `${server.url}/v1` } });

  test('comes from settings of the program, with its key', async () => {
    expect((await ask('genai://house/m', {})).message).toContain('createContext({ settings: { providers:');
    const answer = await ask('genai://house/m', { settings: { providers: providers() }, keys: { house: 'sk-of-the-house' } });
    expect(answer).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('sk-of-the-house');
  });

  test('comes from pravah.json where the program allows it, and gets no key by its name alone', async () => {
    write('pravah.json', { providers: providers() });
    expect((await ask('genai://house/m', {})).message).toContain('settings: true');
    expect(await ask('genai://house/m', { settings: true, keys: { house: 'sk-of-the-house' } })).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('');
    expect(await ask('genai://house/m', { settings: true, keys: () => 'sk-by-address' })).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('sk-by-address');
  });

  test('gets the key of .env that the settings name', async () => {
    write('pravah.json', { providers: { house: { base_url: `${server.url}/v1`, key: 'HOUSE_KEY' } } });
    write('.env', 'HOUSE_KEY=sk-of-the-folder\n');
    expect((await ask('genai://house/m', { settings: true })).message).toContain('env_file: true');
    expect(await ask('genai://house/m', { settings: true, env_file: true })).toMatchObject({ content: 'Yes.' });
    expect(sentKey()).toBe('sk-of-the-folder');
  });
});

describe('ollama:// on another machine, from a program', () => {
  // An address of this machine that is not written as one: nothing leaves it.
  const elsewhere = (port: number) => `0.0.0.0:${port}`;

  test('is refused, by naming what allows it, and reached where the program allows it', async () => {
    const refused = await ask(`ollama://${elsewhere(server.port)}/llama3.2`, {});
    expect(refused).toMatchObject({ code: 'INFERENCE_MODEL_UNAVAILABLE' });
    expect(refused.message).toContain(`allow_hosts: ['${elsewhere(server.port)}']`);
    for (const options of [{ allow_hosts: [elsewhere(server.port)] }, { allow_private: ['0.0.0.0'] }, { trusted: true }]) {
      expect(await ask(`ollama://${elsewhere(server.port)}/llama3.2`, options)).toMatchObject({ content: 'Yes.' });
    }
  });
});

describe('llama:// from a program', () => {
  test('is refused by naming what allows it, and read where the program allows it', async () => {
    write('model.gguf', 'no weights');
    const outside = join(profile.root, 'outside.gguf');
    writeFileSync(outside, 'no weights');
    expect((await ask('llama://model.gguf', {})).message).toMatch(/model_files: .*trusted: true/);
    expect((await ask(`llama://${outside}`, { trusted: true })).message).toContain('model_files');
    const read = expect.stringContaining('GGUF files start with');
    expect(await ask('llama://model.gguf', { trusted: true })).toMatchObject({ message: read });
    expect(await ask('llama://model.gguf', { model_files: ['model.gguf'] })).toMatchObject({ message: read });
    expect(await ask(`llama://${outside}`, { model_files: [outside] })).toMatchObject({ message: read });
  });
});

describe('the request of docs/agents.md', () => {
  test.each(testedVendors)('sends no tool to $name', async (vendor) => {
    server.reset();
    server.mock.addFixture({ match: { predicate: () => true }, response: { content: '{"prime":true}' } });
    const context = await createContext({
      working_dir: folder,
      builtin: ['read_file', 'write_file'],
      env: vendor.environment?.(server) ?? {},
      settings: { providers: { house: { base_url: `${server.url}/v1` } } },
    });
    const schema = { type: 'object', properties: { prime: { type: 'boolean' } }, required: ['prime'], additionalProperties: false };
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Is 17 a prime?' }] }];
    const response = await callAgent({ mode: 'structured', messages, output: { schema } }, { model: vendor.url(server), context });
    expect(response).toMatchObject({ error: null, structured_output: { prime: true } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body.tools).toBeUndefined();
  });
});

describe('models of the program', () => {
  test('are asked first, and leave others to the package', async () => {
    const own = {
      complete: async () => ({
        message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Mine.' }] },
        finish_reason: 'stop' as const,
        usage: { tokens_in: 1, tokens_out: 1 },
      }),
    };
    const models = (url: string) => (url === 'openai://mine' ? own : undefined);
    expect(await ask('openai://mine', { models })).toMatchObject({ content: 'Mine.' });
    expect(await ask('openai://gpt-4o', { models, env: { OPENAI_BASE_URL: `${server.url}/v1` }, keys: { openai: 'k' } })).toMatchObject({
      content: 'Yes.',
    });
  });
});

describe('options that cannot be used', () => {
  test.each([
    [{ settings: true }, 'CONFIG_CONTEXT_INVALID'],
    [{ env_file: true }, 'CONFIG_CONTEXT_INVALID'],
    [{ builtin: ['read_file'] }, 'CONFIG_CONTEXT_INVALID'],
    [{ builtin: ['telepathy'] }, 'CONFIG_CONTEXT_INVALID'],
    [{ working_dir: '/nowhere/at/all' }, 'CONFIG_FOLDER_MISSING'],
    [{ settings: { commmands: [] } }, 'CONFIG_SETTINGS_INVALID'],
  ])('are refused: %j', async (options, code) => {
    const refused = await createContext(options as ContextOptions).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FlowError);
    expect((refused as FlowError).toJSON()).toMatchObject({ code });
  });
});
