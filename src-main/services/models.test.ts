import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { fileCipher, type KeyCipher } from '#main/models/keys/key-cipher.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { type StudioClient, startStudio, temporaryPlaces } from '#main/services/testing/studio-client.ts';

afterEach(() => vi.unstubAllEnvs());

const key = 'sk-entered-by-the-user-0123456789abcdefghij';

const flow = `pravah: 1
name: Ask
input: Question
output: Answer
schemas:
  Question: { type: object }
  Answer: { type: object, properties: { text: { type: string } }, required: [text] }
nodes:
  - kind: agent
    from: Question
    to: Answer
    agent: { model: openai://gpt-4o, mode: chat, prompt: Hello }
`;

interface Studio extends StudioClient {
  readonly folder: string;
  readonly home: string;
  readonly server: VendorServer;
}

/** A studio whose OpenAI is a server on loopback. */
async function studio(host: Partial<HostCapabilities> = {}): Promise<Studio> {
  const server = await VendorServer.start(new LLMock(mockOptions));
  onTestFinished(() => server.stop());
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, '');
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  vi.stubEnv('OLLAMA_HOST', `127.0.0.1:${server.port}`);
  const places = await temporaryPlaces(onTestFinished);
  writeFileSync(join(places.folder, 'ask.flow.yaml'), flow);
  return { ...startStudio(onTestFinished, places.folder, host), ...places, server };
}

/** Every file below a folder that holds the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

/** Runs the flow to its end; answers everything that the page was responses. */
async function runToEnd({ client }: Studio): Promise<string> {
  const responses: unknown[] = [];
  const run = { run_id: '' };
  try {
    responses.push(await client.runs.start({ flow_path: 'ask.flow.yaml', text: flow, input: {} }));
  } catch {
    // The user is asked what the flow may reach, and agrees.
    const reach = await client.consent.ofFlow({ path: 'ask.flow.yaml', text: flow });
    const { capabilityKey } = await import('#shared/flow/capabilities/capability.ts');
    await client.consent.confirm({ flow_path: reach.flow_path, keys: reach.capabilities.map(capabilityKey) });
    responses.push(await client.runs.start({ flow_path: 'ask.flow.yaml', text: flow, input: {} }));
  }
  run.run_id = (responses.at(-1) as { run_id: string }).run_id;
  await client.runs.continue(run);
  for await (const event of await client.runs.events({ ...run, after_seq: 0 })) {
    responses.push(event);
    if (event.type === 'end_stream') break;
  }
  responses.push(await client.runs.get(run), await client.runs.conversation({ ...run, node: 'Question' }));
  return JSON.stringify(responses);
}

/** A keychain as a host has one: what it sealed is read in the first thread of its process only. */
function keychain(): KeyCipher {
  const sealed = new Map<string, string>();
  return {
    protection: 'keychain',
    async seal(text) {
      const name = `entry-${sealed.size}`;
      sealed.set(name, text);
      return name;
    },
    async unseal(name) {
      const text = sealed.get(name);
      if (text === undefined) throw new Error('There is no such entry.');
      return text;
    },
  };
}

test.each([
  ['a file of the profile', 'file', () => fileCipher],
  ['a keychain', 'keychain', keychain],
] as const)('a key stored by %s reaches its endpoint and appears nowhere else', async (_what, protection, cipher) => {
  const it = await studio({ keyCipher: cipher() });
  it.server.mock.addFixture({ match: { predicate: () => true }, response: { content: `I will not say ${key}.`.replace(key, 'it') } });
  const endpoint = `${it.server.url}/v1`;
  const before = await it.client.models.overview();
  expect(before.providers.find(({ id }) => id === 'openai')).toMatchObject({ endpoint, key: 'none', endpoint_from: 'environment' });
  expect(before).toMatchObject({
    protection,
    warning: protection === 'file' ? expect.stringContaining('decryption key is stored on this machine') : null,
  });

  const after = await it.client.models.setKey({ provider: 'openai', endpoint, key });
  expect(after.providers.find(({ id }) => id === 'openai')).toMatchObject({ key: 'stored', key_set_at: expect.any(Number) });
  const responses = await runToEnd(it);
  expect(responses).toContain('"status":"success"');
  expect(it.server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);

  expect(JSON.stringify([before, after, await it.client.models.overview(), responses])).not.toContain(key);
  expect(filesWith(it.folder, key)).toEqual([]);
  expect(filesWith(it.home, key)).toEqual([]);

  expect((await it.client.models.removeKey({ provider: 'openai', endpoint })).providers.find(({ id }) => id === 'openai')?.key).toBe(
    'none',
  );
  expect(await it.client.models.test({ model: 'openai://gpt-4o' })).toMatchObject({ ok: false, code: 'INFERENCE_MODEL_UNAVAILABLE' });
});

test.each([
  ['a file of the profile', () => fileCipher],
  ['a keychain', keychain],
] as const)('a key stored by %s is masked in exports, including earlier occurrences in a run', async (_what, cipher) => {
  const it = await studio({ keyCipher: cipher() });
  const passed = `${flow.slice(0, flow.indexOf('nodes:'))}nodes: [{ kind: work, from: Question, to: Answer }]\n`;
  const { run_id: runId } = await it.client.runs.start({ flow_path: 'ask.flow.yaml', text: passed, input: { text: `My key is ${key}.` } });
  await it.client.runs.step({ run_id: runId, mode: 'into' });
  expect((await it.client.runs.exportCapsule({ run_id: runId })).content).toContain(key);
  await it.client.models.setKey({ provider: 'openai', endpoint: `${it.server.url}/v1`, key });
  const { content } = await it.client.runs.exportCapsule({ run_id: runId });
  expect(content).not.toContain(key);
  expect(content).toContain('My key is');
});

test('an answer that repeats a stored key never enters the run', async () => {
  const it = await studio();
  it.server.mock.addFixture({ match: { predicate: () => true }, response: { content: `Your key is ${key}.` } });
  await it.client.models.setKey({ provider: 'openai', endpoint: `${it.server.url}/v1`, key });
  const responses = await runToEnd(it);
  expect(responses).toContain('SecretInState');
  expect(responses).not.toContain(key);
  expect(filesWith(it.folder, key)).toEqual([]);
});

test('providers list their models and are tested by a real request', async () => {
  const it = await studio();
  it.server.mock.addFixture({
    match: { predicate: () => true },
    response: { content: 'OK', usage: { input_tokens: 5, output_tokens: 1 } },
  });
  // As Google, Gemini API reference, `models.list`, shows it.
  const listed = (name: string, ...supportedGenerationMethods: string[]) => ({ name: `models/${name}`, supportedGenerationMethods });
  it.server.answers.set('/v1beta/models', {
    models: [listed('gemini-2.5-flash', 'generateContent'), listed('embedding-001', 'embedContent')],
  });
  await expect(it.client.models.list({ provider: 'openai' })).rejects.toThrow(/needs a key/);
  for (const [provider, path] of [
    ['openai', '/v1'],
    ['anthropic', ''],
    ['gemini', ''],
  ] as const) {
    await it.client.models.setKey({ provider, endpoint: `${it.server.url}${path}`, key });
  }
  await it.client.models.setService({ name: 'house', base_url: `${it.server.url}/v1` });
  for (const [provider, prefix] of [
    ['openai', 'openai://'],
    ['anthropic', 'anthropic://'],
    ['gemini', 'gemini://'],
    ['ollama', `ollama://127.0.0.1:${it.server.port}/`],
    ['house', 'genai://house/'],
  ] as const) {
    const models = await it.client.models.list({ provider });
    expect(models.length, provider).toBeGreaterThan(0);
    for (const { url } of models) expect(url.startsWith(prefix), url).toBe(true);
  }
  expect(await it.client.models.test({ model: 'openai://gpt-4o' })).toMatchObject({ ok: true, code: null, tokens: 6 });
  expect(await it.client.models.test({ model: 'nonsense' })).toMatchObject({ ok: false });
  expect(await it.client.models.test({ model: 'genai://elsewhere/m' })).toMatchObject({ ok: false, code: 'INFERENCE_MODEL_UNAVAILABLE' });
});

test('tells the prices of the folder apart from the user’s', async () => {
  const it = await studio();
  const price = { input: 1, output: 2 };
  writeFileSync(join(it.folder, 'pravah.json'), JSON.stringify({ prices: { 'openai://own': { in: 1, out: 2 } } }));
  await it.client.models.setPrice({ model: 'openai://gpt-4o', price });
  expect(await it.client.models.overview()).toMatchObject({
    prices: { 'openai://gpt-4o': price },
    folder_prices: { 'openai://own': price },
  });
});

test('stores a default model, prices, services and files, and refuses invalid ones', async () => {
  const it = await studio();
  const { models } = it.client;
  expect(await models.setDefault({ model: 'openai://gpt-4o' })).toMatchObject({ default_model: 'openai://gpt-4o' });
  await expect(models.setDefault({ model: 'openai://sk-abcdefghijklmnop@gpt' })).rejects.toThrow(/contains a key/);
  expect(await models.setPrice({ model: 'openai://gpt-4o', price: { input: 2.5, output: 10 } })).toMatchObject({
    prices: { 'openai://gpt-4o': { input: 2.5, output: 10 } },
  });
  expect(await models.setPrice({ model: 'openai://gpt-4o', price: null })).toMatchObject({ prices: {} });
  await expect(models.setService({ name: 'openai', base_url: 'https://x.example' })).rejects.toThrow(/is reserved/);
  await models.setService({ name: 'house', base_url: 'https://x.example/v1' });
  expect((await models.overview()).providers.find(({ id }) => id === 'house')).toMatchObject({
    prefix: 'genai://house/',
    endpoint_from: 'settings',
  });
  expect((await models.removeService({ name: 'house' })).providers.some(({ id }) => id === 'house')).toBe(false);
  writeFileSync(join(it.folder, 'small.gguf'), 'GGUF');
  expect((await models.addFile({ path: 'small.gguf' })).files).toMatchObject([{ path: join(it.folder, 'small.gguf'), size: 4 }]);
  expect(await models.list({ provider: 'llama' })).toEqual([
    { url: `llama://${join(it.folder, 'small.gguf')}`, name: join(it.folder, 'small.gguf') },
  ]);
  await expect(models.addFile({ path: 'ask.flow.yaml' })).rejects.toThrow(/not a model file/);
  await expect(models.addFile({ path: 'missing.gguf' })).rejects.toThrow(/does not exist/);
  expect((await models.removeFile({ path: join(it.folder, 'small.gguf') })).files).toEqual([]);
});

test('reports an invalid address for its provider without hiding others', async () => {
  const it = await studio();
  vi.stubEnv('OPENAI_BASE_URL', 'nonsense');
  vi.stubEnv('OLLAMA_HOST', 'http://[');
  const { providers } = await it.client.models.overview();
  expect(providers.find(({ id }) => id === 'openai')?.problem).toContain('OPENAI_BASE_URL is not a valid endpoint URL');
  expect(providers.find(({ id }) => id === 'ollama')?.problem).toContain('OLLAMA_HOST is not a valid address');
  expect(providers.find(({ id }) => id === 'anthropic')?.problem).toBeNull();
});

test('reports a corrupt settings file and does not overwrite it', async () => {
  const it = await studio();
  await it.client.models.setDefault({ model: 'openai://gpt-4o' });
  const file = join(it.home, 'models.json');
  writeFileSync(file, '{"prices":');
  await expect(it.client.models.setDefault({ model: null })).rejects.toThrow(/is corrupt/);
  expect(readFileSync(file, 'utf8')).toBe('{"prices":');
});

test('what models answered is recorded as a script, which overwrites nothing unasked and gives the same run', async () => {
  const it = await studio();
  it.server.mock.addFixture({
    match: { predicate: () => true },
    response: { content: 'Good morning.', usage: { input_tokens: 9, output_tokens: 3 } },
  });
  await it.client.models.setKey({ provider: 'openai', endpoint: `${it.server.url}/v1`, key });
  const responses = await runToEnd(it);
  const [run] = await it.client.runs.list({});
  const runId = run?.run_id ?? '';
  const path = 'models/ask.script.json';
  expect(await it.client.models.record({ run_id: runId, path })).toEqual({ written: [{ path, node: 'Question', turns: 1 }], existing: [] });
  const text = readFileSync(join(it.folder, path), 'utf8');
  expect(JSON.parse(text)).toEqual({ turns: [{ text: 'Good morning.', usage: { tokens_in: 9, tokens_out: 3 } }] });
  expect(responses).toContain('Good morning.');

  writeFileSync(join(it.folder, path), 'mine');
  expect(await it.client.models.record({ run_id: runId, path })).toEqual({ written: [], existing: [path] });
  expect(readFileSync(join(it.folder, path), 'utf8')).toBe('mine');
  await it.client.models.record({ run_id: runId, path, replace: true });
  expect(readFileSync(join(it.folder, path), 'utf8')).toBe(text);
  for (const wrong of ['../out.json', 'ask.flow.json', '.git/x.json', 'models/ask.txt', '.env.json']) {
    await expect(it.client.models.record({ run_id: runId, path: wrong }), wrong).rejects.toThrow();
  }

  const asked = it.server.requests.length;
  const again = await it.client.runs.start({ flow_path: 'ask.flow.yaml', text: flow, input: {}, models: { Question: `script://${path}` } });
  await it.client.runs.continue({ run_id: again.run_id });
  for await (const event of await it.client.runs.events({ run_id: again.run_id, after_seq: 0 })) {
    if (event.type !== 'end_stream') continue;
    expect(event).toMatchObject({ status: 'success', output: { text: 'Good morning.' } });
    break;
  }
  expect(it.server.requests).toHaveLength(asked);
});
