import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import { setSecret } from '#main/models/keys/stored-secrets.ts';
import { parseSettings } from '#main/workspace/settings.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { secretsToMask } from './history-options.ts';

test('masks exported data by every stored key and secret and those in the folder’s .env', async () => {
  const profile = await temporaryProfile();
  onTestFinished(() => profile[Symbol.asyncDispose]());
  const store = new KeyStore(fileCipher);
  await store.set({ provider: 'openai', endpoint: 'https://api.openai.com/v1', key: 'a-stored-key' }, 1);
  await setSecret(store, 'TOKEN', 'a-stored-secret', ['api.example.com'], 1);
  const folder = join(profile.root, 'folder');
  await mkdir(folder);
  await writeFile(join(folder, '.env'), 'PLAIN_NAME=named-in-settings\nAPI_KEY=by-its-name\n');
  const settings = parseSettings('{"secrets": {"PLAIN_NAME": {"hosts": ["a.example"]}}}');
  const known = [...(await secretsToMask(folder, settings)).values()];
  expect(known).toEqual(expect.arrayContaining(['a-stored-key', 'a-stored-secret', 'named-in-settings', 'by-its-name']));
});
