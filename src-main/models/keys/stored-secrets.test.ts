import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { fileCipher } from './key-cipher.ts';
import { KeyStore } from './key-store.ts';
import { listSecrets, removeSecret, setSecret, storedSecrets } from './stored-secrets.ts';

const store = new KeyStore(fileCipher);
const value = 'a-secret-that-stands-nowhere';

async function profile() {
  const made = await temporaryProfile();
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

test('a secret is stored encrypted, with all its hosts, beside the models’ keys', async () => {
  const { home } = await profile();
  await store.set({ provider: 'openai', endpoint: 'https://api.openai.com/v1', key: 'another-key' }, 1);
  await setSecret(store, 'TOKEN', `${value}\n`, ['API.example.com', 'localhost:8080', 'http://intranet'], 1);
  expect(storedSecrets(await store.keys())).toEqual([
    { name: 'TOKEN', value, hosts: expect.arrayContaining(['api.example.com', 'localhost:8080', 'http://intranet']) },
  ]);
  for (const name of readdirSync(home)) expect(readFileSync(join(home, name)).includes(value)).toBe(false);
});

test('a secret that is set again has only its new hosts, and is removed completely', async () => {
  await profile();
  await setSecret(store, 'TOKEN', value, ['one.example', 'two.example'], 1);
  await setSecret(store, 'TOKEN', `${value}-2`, ['three.example'], 2);
  expect(storedSecrets(await store.keys())).toEqual([{ name: 'TOKEN', value: `${value}-2`, hosts: ['three.example'] }]);
  expect(await listSecrets(store)).toEqual([{ name: 'TOKEN', hosts: ['three.example'] }]);
  expect(await removeSecret(store, 'TOKEN')).toBe(true);
  expect(await removeSecret(store, 'TOKEN')).toBe(false);
  expect(await listSecrets(store)).toEqual([]);
});

test.each([
  ['1NAME', value, ['a.example']],
  ['NAME', 'x7-9_q', ['a.example']],
  ['NAME', 'two words here', ['a.example']],
  ['NAME', value, []],
  ['NAME', value, ['*']],
  ['NAME', value, ['a.example/path']],
])('%s of %j for %j is refused, and nothing is stored', async (name, text, hosts) => {
  await profile();
  await setSecret(store, 'NAME', value, ['kept.example'], 1);
  const error = (await setSecret(store, name, text, hosts, 2).catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({ variant: 'Invalid' });
  expect(error.message).not.toContain(text);
  expect(await listSecrets(store)).toEqual([{ name: 'NAME', hosts: ['kept.example'] }]);
});
