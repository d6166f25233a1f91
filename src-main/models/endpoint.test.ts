import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredKey } from '#main/models/keys/key-store.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { isLoopback, type Variables, vendorEndpoint } from './endpoint.ts';

const names = { key: 'OPENAI_API_KEY', base_url: 'OPENAI_BASE_URL', default_url: 'https://vendor.example/v1' };
const own = 'the-user’s-own-key';
const theirs = 'the-workspace’s-key';

function endpoint(environment: Variables, dotEnv: Variables = {}, stored: readonly StoredKey[] = []) {
  return vendorEndpoint('openai://gpt', 'openai', names, { environment, dotEnv, trusted: true, stored });
}

const storedFor = (address: string, provider = 'openai'): StoredKey[] => [{ provider, endpoint: address, key: 'the-stored-key' }];

describe('the endpoint of a vendor', () => {
  it('is the vendor’s own, with the key from the environment or from .env', async () => {
    await expect(endpoint({ OPENAI_API_KEY: own })).resolves.toMatchObject({
      base_url: names.default_url,
      key: own,
      from_workspace: false,
    });
    await expect(endpoint({}, { OPENAI_API_KEY: theirs })).resolves.toMatchObject({ base_url: names.default_url, key: theirs });
  });

  it('is the one that the environment names, unless .env names another', async () => {
    const environment = { OPENAI_API_KEY: own, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1/' };
    await expect(endpoint(environment)).resolves.toMatchObject({ base_url: 'http://127.0.0.1:1/v1', key: own, from_workspace: false });
    const dotEnv = { OPENAI_API_KEY: theirs, OPENAI_BASE_URL: 'https://elsewhere.example' };
    await expect(endpoint(environment, dotEnv)).resolves.toMatchObject({
      base_url: 'https://elsewhere.example',
      key: theirs,
      from_workspace: true,
    });
    await expect(endpoint(environment, { OPENAI_API_KEY: theirs })).resolves.toMatchObject({
      base_url: 'http://127.0.0.1:1/v1',
      key: theirs,
    });
  });

  it('never gets the user’s own key where the workspace names it', async () => {
    const dotEnv = { OPENAI_BASE_URL: 'https://elsewhere.example' };
    await expect(endpoint({ OPENAI_API_KEY: own }, dotEnv)).rejects.toThrow(/set its key there too, as OPENAI_API_KEY/);
    await expect(endpoint({ OPENAI_API_KEY: own }, { ...dotEnv, OPENAI_API_KEY: theirs })).resolves.toMatchObject({
      key: theirs,
      from_workspace: true,
    });
  });

  it('is refused without a key, and it is said where keys go', async () => {
    await expect(endpoint({})).rejects.toThrow(/set OPENAI_API_KEY in the environment or in the workspace’s \.env/);
  });

  it('gets a stored key at the very address that it was entered for, and nowhere else', async () => {
    const stored = storedFor('https://vendor.example/v1');
    await expect(endpoint({}, {}, stored)).resolves.toMatchObject({ key: 'the-stored-key', key_from: 'stored', address_from: 'default' });
    await expect(endpoint({ OPENAI_API_KEY: own }, {}, stored)).resolves.toMatchObject({ key: own, key_from: 'environment' });
    await expect(endpoint({ OPENAI_BASE_URL: 'https://vendor.example/v1/' }, {}, stored)).resolves.toMatchObject({ key: 'the-stored-key' });
    for (const address of [
      'https://vendor.example',
      'https://vendor.example/v1/x',
      'http://vendor.example/v1',
      'https://vendor.example:8443/v1',
    ]) {
      await expect(endpoint({ OPENAI_BASE_URL: address }, {}, stored)).rejects.toThrow(
        /was entered for https:\/\/vendor\.example\/v1 and is sent only there/,
      );
      await expect(endpoint({}, { OPENAI_BASE_URL: address }, stored)).rejects.toThrow(/never sent to an address that a workspace chooses/);
    }
    await expect(endpoint({}, {}, storedFor('https://vendor.example/v1', 'anthropic'))).rejects.toThrow(/needs a key/);
  });

  it.each(['ftp://x', 'nonsense', 'https://user:word@x.example'])('is refused where it is no address: %s', async (base_url) => {
    await expect(endpoint({ OPENAI_API_KEY: own, OPENAI_BASE_URL: base_url })).rejects.toThrow(
      /OPENAI_BASE_URL is not a valid endpoint URL/,
    );
  });
});

describe('the models of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pravah-endpoint-'));
    writeFileSync(join(folder, '.env'), `OPENAI_API_KEY=${theirs}\nHOUSE_KEY=${theirs}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const providers = {
    house: { base_url: 'http://127.0.0.1:1/v1', key: 'HOUSE_KEY' },
    other: { base_url: 'http://127.0.0.1:1', key: 'HOME_KEY' },
  };
  const client = async (url: string, trusted: boolean, environment: Variables = {}) =>
    createModelClients({ folder, trusted, environment, settings: { providers } })(url);

  it('get keys from .env in a trusted folder only', async () => {
    await expect(client('openai://gpt', true)).resolves.toBeDefined();
    await expect(client('openai://gpt', false)).rejects.toThrow(/once the folder is trusted/);
  });

  it('may be services of pravah.json in a trusted folder only, with keys from .env only', async () => {
    await expect(client('genai://house/m', true)).resolves.toBeDefined();
    await expect(client('genai://house/m', false)).rejects.toThrow(/Trust the folder/);
    await expect(client('genai://other/m', true, { HOME_KEY: own })).rejects.toThrow(/put HOME_KEY into the workspace’s \.env/);
    await expect(client('genai://constructor/m', true)).rejects.toThrow(/Unknown service constructor/);
  });

  it('may be on another machine’s Ollama in a trusted folder only', async () => {
    await expect(client('ollama://127.0.0.1:1/m', false)).resolves.toBeDefined();
    await expect(client('ollama://10.0.0.1:1/m', false)).rejects.toThrow(/on another machine/);
    await expect(client('ollama://10.0.0.1:1/m', true)).resolves.toBeDefined();
  });

  it('name what is missing for llama://, and refuse a key in a URL without repeating it', async () => {
    await expect(client('llama://m.gguf', true)).rejects.toMatchObject({ options: { code: 'INFERENCE_MODEL_UNAVAILABLE' } });
    const error = await client('openai://sk-secretsecretsecret@gpt', true).catch(String);
    expect(error).toContain('contains a key');
    expect(error).not.toContain('sk-secret');
  });
});

describe('loopback', () => {
  it.each(['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'LOCALHOST'])('is %s', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['127.0.0.1.example', '10.0.0.1', '[::2]', 'localhost.example', '0.0.0.0'])('is not %s', (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});
