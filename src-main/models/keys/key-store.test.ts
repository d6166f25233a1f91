import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileCipher, type KeyCipher } from './key-cipher.ts';
import { KeyStore } from './key-store.ts';

const key = 'sk-a-key-that-stands-nowhere-in-plain-0123456789';
const endpoint = 'https://vendor.example/v1';
let home: string;
const before = process.env.PRAVAH_HOME;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pravah-keys-'));
  process.env.PRAVAH_HOME = home;
});
afterEach(() => {
  if (before === undefined) delete process.env.PRAVAH_HOME;
  else process.env.PRAVAH_HOME = before;
  rmSync(home, { recursive: true });
});

const store = new KeyStore(fileCipher);
const keysFile = () => join(home, 'keys.json');

it('stores keys encrypted, in files that only their owner can read', async () => {
  await store.set({ provider: 'openai', endpoint: `${endpoint}/`, key: ` ${key}\n` }, 5);
  expect(await store.keys()).toEqual([{ provider: 'openai', endpoint, key }]);
  expect(await store.list()).toEqual([{ provider: 'openai', endpoint, protection: 'file', set_at: 5 }]);
  for (const name of readdirSync(home)) {
    expect(readFileSync(join(home, name)).includes(key)).toBe(false);
    if (process.platform !== 'win32') expect(statSync(join(home, name)).mode & 0o077).toBe(0);
  }
});

it('replaces and removes one key without changing the others', async () => {
  await store.set({ provider: 'openai', endpoint, key }, 1);
  await store.set({ provider: 'openai', endpoint: 'https://proxy.example', key: 'second' }, 2);
  await store.set({ provider: 'openai', endpoint, key: 'third' }, 3);
  expect((await store.keys()).map((each) => each.key).sort()).toEqual(['second', 'third']);
  expect(await store.remove('openai', endpoint)).toBe(true);
  expect(await store.remove('openai', endpoint)).toBe(false);
  expect((await store.keys()).map((each) => each.key)).toEqual(['second']);
});

it.each(['', '  ', 'two\nlines', 'two words', 'nul\0', 'ключ'])('refuses what is no key, without repeating it: %j', async (wrong) => {
  const error = await store.set({ provider: 'openai', endpoint, key: wrong }, 1).catch((thrown: unknown) => thrown as Error);
  expect(error?.message).toMatch(/Invalid key/);
  if (wrong.trim()) expect(error?.message).not.toContain(wrong);
});

it('does not use a key whose entry was moved to another endpoint', async () => {
  await store.set({ provider: 'openai', endpoint, key }, 1);
  const text = readFileSync(keysFile(), 'utf8');
  writeFileSync(keysFile(), text.replace(endpoint, 'https://thief.example'));
  expect(await store.keys()).toEqual([]);
  writeFileSync(keysFile(), text.replace(/"sealed": "...../, '"sealed": "AAAAA'));
  expect(await store.keys()).toEqual([]);
  writeFileSync(keysFile(), text);
  expect(await store.keys()).toHaveLength(1);
});

it('reports a damaged key file and does not overwrite it', async () => {
  writeFileSync(keysFile(), '{"entries":[');
  await expect(store.set({ provider: 'openai', endpoint, key }, 1)).rejects.toThrow(/is corrupt/);
  expect(readFileSync(keysFile(), 'utf8')).toBe('{"entries":[');
});

it('ignores keys that another profile’s secret encrypted, and keeps them in the file', async () => {
  await store.set({ provider: 'openai', endpoint, key }, 1);
  const secret = readFileSync(join(home, 'keys.secret'));
  writeFileSync(join(home, 'keys.secret'), Buffer.alloc(secret.length, 7));
  expect(await store.keys()).toEqual([]);
  await store.set({ provider: 'anthropic', endpoint, key: 'another' }, 2);
  expect(await store.keys()).toMatchObject([{ provider: 'anthropic' }]);
  writeFileSync(join(home, 'keys.secret'), secret);
  expect(await store.keys()).toMatchObject([{ provider: 'openai', key }]);
});

it('encrypts nothing with a truncated secret, and names the damaged file', async () => {
  await store.set({ provider: 'openai', endpoint, key }, 1);
  const before = readFileSync(keysFile(), 'utf8');
  writeFileSync(join(home, 'keys.secret'), 'short');
  expect(await store.keys()).toEqual([]);
  await expect(store.set({ provider: 'openai', endpoint, key: 'another' }, 2)).rejects.toThrow(/keys\.secret is corrupt/);
  expect(readFileSync(keysFile(), 'utf8')).toBe(before);
});

it('ignores keys that another host’s keychain encrypted, and removes them on request', async () => {
  const turned = (text: string) => [...text].reverse().join('');
  const keychain: KeyCipher = { protection: 'keychain', seal: async (text) => turned(text), unseal: async (text) => turned(text) };
  await new KeyStore(keychain).set({ provider: 'openai', endpoint, key }, 1);
  expect(await store.keys()).toEqual([]);
  expect(await new KeyStore(keychain).keys()).toHaveLength(1);
  expect(await store.list()).toMatchObject([{ protection: 'keychain' }]);
  await store.remove('openai', endpoint);
  expect(await store.list()).toEqual([]);
});

it('concurrent requests create one secret for the profile', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => fileCipher.seal(name)));
  const sealed = await fileCipher.seal('text');
  expect(await fileCipher.unseal(sealed)).toBe('text');
});
